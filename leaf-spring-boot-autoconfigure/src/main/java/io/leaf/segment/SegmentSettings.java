// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Map;

import io.leaf.support.KeyPatterns;

/**
 * The settings of a {@link SegmentIdGenerator}. The components are named like the
 * {@code leaf.segment} properties, which state their defaults and check their ranges;
 * {@code keys} is set by {@code leaf.keys}.
 *
 * @param prefetchAt the part of a segment, 0 to 1, that has been issued when the next one
 * is fetched
 * @param targetDuration how long a segment should last; the step adapts to it
 * @param maxStep the largest step that the adaptation may reach, at least 1; a row's own
 * step may be larger
 * @param acquireTimeout how long a caller waits if no number is left in memory
 * @param refreshInterval how often the rows are read again
 * @param preload whether a first segment is fetched for every key at startup
 * @param failFast whether startup fails if the rows cannot be read or updated
 * @param autoCreateStep the step of a row that is added for an unknown key, or 0 to add
 * none
 * @param ordering the order in which the IDs of a key are issued, unless the key has its
 * own
 * @param giveBack whether closing returns unused numbers to the store
 * @param keys the settings of single keys
 * @param aboveExistingIds whether a row that is added begins above the IDs in the table
 * of the key's entity, if that is larger
 * @param autoCreateKeys the keys for which a row may be added
 */
public record SegmentSettings(double prefetchAt, Duration targetDuration, long maxStep, Duration acquireTimeout,
		Duration refreshInterval, boolean preload, boolean failFast, int autoCreateStep, Ordering ordering,
		boolean giveBack, Map<String, KeySettings> keys, boolean aboveExistingIds, KeyPatterns autoCreateKeys) {

	/**
	 * Creates settings with which a row may be added for every key.
	 */
	public SegmentSettings(double prefetchAt, Duration targetDuration, long maxStep, Duration acquireTimeout,
			Duration refreshInterval, boolean preload, boolean failFast, int autoCreateStep, Ordering ordering,
			boolean giveBack, Map<String, KeySettings> keys, boolean aboveExistingIds) {
		this(prefetchAt, targetDuration, maxStep, acquireTimeout, refreshInterval, preload, failFast, autoCreateStep,
				ordering, giveBack, keys, aboveExistingIds, KeyPatterns.ALL);
	}

	/**
	 * Returns whether a row is added for a key that has none.
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
	 * @return the order, which is 'global' for a key with periods that has none of its
	 * own
	 */
	public Ordering ordering(String key) {
		KeySettings settings = key(key);
		Ordering other = (settings.period() != null) ? Ordering.GLOBAL : this.ordering;
		return (settings.ordering() != null) ? settings.ordering() : other;
	}

}
