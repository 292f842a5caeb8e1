// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Map;

import io.leaf.support.KeyPatterns;

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
	 * Creates settings in which {@code autoCreateKeys} matches every key.
	 */
	public SegmentSettings(double prefetchAt, Duration targetDuration, long maxStep, Duration acquireTimeout,
			Duration refreshInterval, boolean preload, boolean failFast, int autoCreateStep, Ordering ordering,
			boolean giveBack, Map<String, KeySettings> keys, boolean aboveExistingIds) {
		this(prefetchAt, targetDuration, maxStep, acquireTimeout, refreshInterval, preload, failFast, autoCreateStep,
				ordering, giveBack, keys, aboveExistingIds, KeyPatterns.ALL);
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

}
