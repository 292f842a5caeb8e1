// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A row of the table {@code leaf_primary}: the server on which the counters of a segment
 * table are advanced.
 *
 * @param server identifies the server and, on PostgreSQL, its timeline
 * @param failovers the number of failovers for which the counters have been raised
 * @param gap the largest gap that has been used to raise the counters, or 0 if they have
 * never been raised
 * @param raised by how much the counters have been raised in total. This is at most the
 * gap for each failover
 * @param version a random number that distinguishes this record from all others
 * @param raisedAt the times of the last {@value #MAX_TIMES} raises of the counters, the
 * latest first, rounded up to whole seconds
 */
record PrimaryRecord(String server, long failovers, long gap, long raised, long version, List<Instant> raisedAt) {

	/**
	 * How many raises are kept in {@link #raisedAt}. The column {@code raised_at} has
	 * room for their times.
	 */
	static final int MAX_TIMES = 24;

	/**
	 * Creates a record.
	 * @param times the times of the raises, as {@link #times()} returns them
	 */
	static PrimaryRecord of(String server, long failovers, long gap, long raised, long version, String times) {
		return new PrimaryRecord(server, failovers, gap, raised, version,
				Stream.of(times.split(" ")).filter((time) -> !time.isEmpty()).map(Instant::parse).toList());
	}

	/**
	 * Returns the times of the raises as text.
	 */
	String times() {
		return this.raisedAt.stream().map(Instant::toString).collect(Collectors.joining(" "));
	}

	/**
	 * Returns whether the counters on the server of this record are above all numbers
	 * that were allocated under the record that a process saw last. This is so if both
	 * records are the same, or if the counters have been raised by at least one gap more
	 * than under that record. Otherwise, the server has lost the record that the process
	 * saw.
	 * @param seen the record that the process saw last, or {@code null}
	 */
	boolean isAtLeast(@Nullable PrimaryRecord seen) {
		return seen == null || this.version == seen.version
				|| (this.raised > seen.raised && this.raised >= seen.raised + seen.gap);
	}

	/**
	 * Returns the record to write when the counters are raised.
	 * @param server the server on which the counters are raised
	 * @param seen the record that the process saw last, or {@code null}
	 * @param gap the gap of this process
	 * @param version the version of the new record
	 * @param time the time on the clock of the server
	 */
	PrimaryRecord next(String server, @Nullable PrimaryRecord seen, long gap, long version, Instant time) {
		List<Instant> lost = (seen != null) ? seen.raisedAt : List.of();
		List<Instant> times = new ArrayList<>();
		times.add(time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS));
		// The record on the server and the record that this process saw last may list
		// different raises, and numbers may have been lost before each of these raises.
		// At each position, the later of the two times is kept, so that Raises.since()
		// counts at least as many raises as with either list alone.
		for (int i = 0; times.size() < MAX_TIMES && i < Math.max(this.raisedAt.size(), lost.size()); i++) {
			Instant known = (i < this.raisedAt.size()) ? this.raisedAt.get(i) : Instant.MIN;
			Instant unknown = (i < lost.size()) ? lost.get(i) : Instant.MIN;
			times.add(known.isAfter(unknown) ? known : unknown);
		}
		long last = (seen != null) ? Math.max(this.failovers, seen.failovers) : this.failovers;
		long largest = Math.max(gap, (seen != null) ? Math.max(this.gap, seen.gap) : this.gap);
		// all counters of a lost server are below this sum and the numbers that were lost
		long sum = ((seen != null) ? Math.max(this.raised, seen.raised) : this.raised) + largest;
		return new PrimaryRecord(server, last + 1, largest, sum, version, List.copyOf(times));
	}

}
