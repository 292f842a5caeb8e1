// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Map;

import io.leaf.support.KeyPatterns;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link SegmentIdGenerator}. The components correspond to the
 * properties below {@code leaf.segment}, except for {@code keys}, which is set by
 * {@code leaf.keys}. {@code LeafSegmentProperties} has the defaults and checks the
 * ranges.
 *
 * @param prefetchAt the fraction of a segment, from 0 to 1, that has been issued when the
 * next segment is requested
 * @param targetDuration how long a segment should last. The step is adapted to this
 * duration
 * @param maxStep the largest step that the adaptation may reach, at least 1. The step of
 * a row may be larger
 * @param acquireTimeout how long a call waits at most for the look-up of its key, and how
 * long it waits at most for numbers if none are left in memory
 * @param refreshInterval how often the rows are read again
 * @param preload whether the first segment of every key is fetched at startup. Keys with
 * {@link Ordering#GLOBAL} have no segments
 * @param failFast whether startup fails if the rows cannot be read or updated
 * @param autoCreateStep the step of a row that is added for an unknown key, or 0 if no
 * rows are added
 * @param ordering the order in which the IDs of a key are issued if the key has no
 * ordering of its own and no periods
 * @param giveBack whether unused numbers are returned to the store when the generator is
 * closed
 * @param keys the settings of individual keys
 * @param aboveExistingIds whether the numbers of a row that is added must begin above the
 * largest ID in the table of the entity that the key belongs to
 * @param autoCreateKeys the keys for which a row may be added
 */
public record SegmentSettings(double prefetchAt, Duration targetDuration, long maxStep, Duration acquireTimeout,
		Duration refreshInterval, boolean preload, boolean failFast, int autoCreateStep, Ordering ordering,
		boolean giveBack, Map<String, KeySettings> keys, boolean aboveExistingIds, KeyPatterns autoCreateKeys) {

	/**
	 * Returns a builder in which nothing is set. It has no defaults, because only
	 * {@code LeafSegmentProperties} defines them: every value must be set, except for
	 * {@code autoCreateKeys}, which otherwise matches every key.
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns a builder in which the values of these settings are set.
	 */
	public Builder toBuilder() {
		return builder().prefetchAt(this.prefetchAt)
			.targetDuration(this.targetDuration)
			.maxStep(this.maxStep)
			.acquireTimeout(this.acquireTimeout)
			.refreshInterval(this.refreshInterval)
			.preload(this.preload)
			.failFast(this.failFast)
			.autoCreateStep(this.autoCreateStep)
			.ordering(this.ordering)
			.giveBack(this.giveBack)
			.keys(this.keys)
			.aboveExistingIds(this.aboveExistingIds)
			.autoCreateKeys(this.autoCreateKeys);
	}

	/**
	 * Returns whether a row is added for a key that has no row.
	 */
	boolean createsRow(String key) {
		return this.autoCreateStep > 0 && this.autoCreateKeys.matches(key);
	}

	/**
	 * Returns the settings of a key.
	 */
	KeySettings key(String key) {
		return this.keys.getOrDefault(key, KeySettings.DEFAULT);
	}

	/**
	 * Returns the order in which the IDs of a key are issued.
	 * @param key the key
	 * @return the order; {@link Ordering#GLOBAL} if the key has periods and no ordering
	 * of its own
	 */
	public Ordering ordering(String key) {
		KeySettings settings = key(key);
		Ordering other = (settings.period() != null) ? Ordering.GLOBAL : this.ordering;
		return (settings.ordering() != null) ? settings.ordering() : other;
	}

	/**
	 * A builder of settings. Each method sets the component that it is named after.
	 */
	public static final class Builder {

		private @Nullable Double prefetchAt;

		private @Nullable Duration targetDuration;

		private @Nullable Long maxStep;

		private @Nullable Duration acquireTimeout;

		private @Nullable Duration refreshInterval;

		private @Nullable Boolean preload;

		private @Nullable Boolean failFast;

		private @Nullable Integer autoCreateStep;

		private @Nullable Ordering ordering;

		private @Nullable Boolean giveBack;

		private @Nullable Map<String, KeySettings> keys;

		private @Nullable Boolean aboveExistingIds;

		private KeyPatterns autoCreateKeys = KeyPatterns.ALL;

		private Builder() {
		}

		public Builder prefetchAt(double prefetchAt) {
			this.prefetchAt = prefetchAt;
			return this;
		}

		public Builder targetDuration(Duration targetDuration) {
			this.targetDuration = targetDuration;
			return this;
		}

		public Builder maxStep(long maxStep) {
			this.maxStep = maxStep;
			return this;
		}

		public Builder acquireTimeout(Duration acquireTimeout) {
			this.acquireTimeout = acquireTimeout;
			return this;
		}

		public Builder refreshInterval(Duration refreshInterval) {
			this.refreshInterval = refreshInterval;
			return this;
		}

		public Builder preload(boolean preload) {
			this.preload = preload;
			return this;
		}

		public Builder failFast(boolean failFast) {
			this.failFast = failFast;
			return this;
		}

		public Builder autoCreateStep(int autoCreateStep) {
			this.autoCreateStep = autoCreateStep;
			return this;
		}

		public Builder ordering(Ordering ordering) {
			this.ordering = ordering;
			return this;
		}

		public Builder giveBack(boolean giveBack) {
			this.giveBack = giveBack;
			return this;
		}

		public Builder keys(Map<String, KeySettings> keys) {
			this.keys = keys;
			return this;
		}

		public Builder aboveExistingIds(boolean aboveExistingIds) {
			this.aboveExistingIds = aboveExistingIds;
			return this;
		}

		public Builder autoCreateKeys(KeyPatterns autoCreateKeys) {
			this.autoCreateKeys = autoCreateKeys;
			return this;
		}

		/**
		 * Creates the settings.
		 * @throws IllegalStateException if a value other than {@code autoCreateKeys} is
		 * not set. The message names the first such value
		 */
		public SegmentSettings build() {
			return new SegmentSettings(required("prefetchAt", this.prefetchAt),
					required("targetDuration", this.targetDuration), required("maxStep", this.maxStep),
					required("acquireTimeout", this.acquireTimeout), required("refreshInterval", this.refreshInterval),
					required("preload", this.preload), required("failFast", this.failFast),
					required("autoCreateStep", this.autoCreateStep), required("ordering", this.ordering),
					required("giveBack", this.giveBack), required("keys", this.keys),
					required("aboveExistingIds", this.aboveExistingIds), this.autoCreateKeys);
		}

		private static <T> T required(String component, @Nullable T value) {
			if (value == null) {
				throw new IllegalStateException(
						"'%s' is not set. Set it before build(), because the builder has no default for it"
							.formatted(component));
			}
			return value;
		}

	}

}
