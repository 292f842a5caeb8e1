// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Map;

/**
 * How a {@link SegmentIdGenerator} behaves. The component names are those of the
 * {@code leaf.segment} properties; {@code startFrom} is set by {@code leaf.keys}.
 *
 * @param prefetchAt the part of a segment, 0 to 1, that has been issued when the next one
 * is fetched
 * @param targetDuration how long a segment should last; the step adapts to it
 * @param maxStep the largest step that adapting may reach, at least 1; a row's own step
 * may be larger
 * @param acquireTimeout how long a caller waits where no number is left in memory
 * @param refreshInterval how often the rows are read again
 * @param preload whether a first segment is fetched for every key at start
 * @param failFast whether the start fails if the rows cannot be read or not be updated
 * @param autoCreateStep the step of a row that is added for an unknown key, or 0 to add
 * none
 * @param ordering in which order the IDs of a key are issued
 * @param giveBack whether closing returns the numbers to the store that were not issued
 * @param startFrom from which number the rows that are added for single keys begin, by
 * key; 1 for all others
 * @param aboveExistingIds whether a row that is added begins above the IDs that the table
 * of the key's entity holds, if that is larger
 */
public record SegmentSettings(double prefetchAt, Duration targetDuration, long maxStep, Duration acquireTimeout,
		Duration refreshInterval, boolean preload, boolean failFast, int autoCreateStep, Ordering ordering,
		boolean giveBack, Map<String, Long> startFrom, boolean aboveExistingIds) {

	/**
	 * The defaults: prefetch at 10 %, 15 minutes a segment, steps up to 1,000,000, 2
	 * seconds for a caller to wait, rows read every 60 seconds, no preload, fail fast, no
	 * rows added, strict order, give back; rows that are added begin at 1, or above the
	 * existing IDs.
	 */
	public static final SegmentSettings DEFAULTS = new SegmentSettings(0.1, Duration.ofMinutes(15), 1_000_000,
			Duration.ofSeconds(2), Duration.ofSeconds(60), false, true, 0, Ordering.STRICT, true, Map.of(), true);

	/**
	 * Creates settings.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public SegmentSettings {
		require(prefetchAt >= 0 && prefetchAt <= 1, "prefetchAt", prefetchAt, "from 0 to 1");
		require(targetDuration.compareTo(Duration.ZERO) > 0, "targetDuration", targetDuration, "positive");
		require(maxStep >= 1, "maxStep", maxStep, "1 or more");
		require(acquireTimeout.compareTo(Duration.ZERO) > 0, "acquireTimeout", acquireTimeout, "positive");
		require(refreshInterval.compareTo(Duration.ZERO) > 0, "refreshInterval", refreshInterval, "positive");
		require(autoCreateStep >= 0, "autoCreateStep", autoCreateStep, "0 or more");
		startFrom = Map.copyOf(startFrom);
		startFrom.forEach((key, from) -> require(from >= 1, "startFrom." + key, from, "1 or more"));
	}

	private static void require(boolean valid, String name, Object value, String range) {
		if (!valid) {
			throw new IllegalArgumentException("'%s' must be %s: %s".formatted(name, range, value));
		}
	}

}
