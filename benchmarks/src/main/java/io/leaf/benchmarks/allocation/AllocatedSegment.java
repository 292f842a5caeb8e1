// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.Comparator;
import java.util.List;

/**
 * A segment allocated from a row.
 *
 * @param from the first number
 * @param to the end, exclusive
 */
record AllocatedSegment(long from, long to) {

	/**
	 * Counts the segments that share a number with a segment that begins before them or
	 * at the same number.
	 * @param segments the segments, in any order
	 * @return the count, 0 if all segments are disjoint
	 */
	static long overlaps(List<AllocatedSegment> segments) {
		long overlaps = 0;
		long end = Long.MIN_VALUE;
		for (AllocatedSegment segment : segments.stream()
			.sorted(Comparator.comparingLong(AllocatedSegment::from))
			.toList()) {
			if (segment.from < end) {
				overlaps++;
			}
			end = Math.max(end, segment.to);
		}
		return overlaps;
	}

	/**
	 * Checks that no number was allocated twice.
	 * @param segments the segments, in any order
	 * @return the outcome, for the tables
	 * @throws IllegalStateException if a number was allocated twice
	 */
	static String check(List<AllocatedSegment> segments) {
		long overlaps = overlaps(segments);
		if (overlaps > 0) {
			throw new IllegalStateException(
					"%d of %d segments overlap with another one".formatted(overlaps, segments.size()));
		}
		return "no overlap";
	}

}
