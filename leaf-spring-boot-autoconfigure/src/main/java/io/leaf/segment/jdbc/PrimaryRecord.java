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
 * @param failovers by how many gaps the counters have been raised at most: one for each
 * failover, and further ones for raises that made up for lost ones
 * @param gap the largest gap that has been used to raise the counters, or 0 if they have
 * never been raised
 * @param raised by how much the counters have been raised in total. This is at most the
 * gap for each failover
 * @param version a random number that distinguishes this record from all others
 * @param raisedAt a whole second for each of the last {@value #MAX_TIMES} raises, the
 * latest first. None is earlier than the begin of the statement that raised the counters,
 * on the clock of its server. A raise by several gaps counts several times
 */
record PrimaryRecord(String server, long failovers, long gap, long raised, long version, List<Instant> raisedAt) {

	/**
	 * How many raises are kept in {@link #raisedAt}. The column {@code raised_at} has
	 * room for their times.
	 */
	static final int MAX_TIMES = 90;

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
	 * that were allocated under the record that a process saw last, including those of
	 * periods that began meanwhile. This is so if both records are the same, or if the
	 * counters have been raised by at least one gap more than under that record, since
	 * any time. Otherwise, the server has lost the record that the process saw.
	 * @param seen the record that the process saw last, or {@code null}
	 */
	boolean isAtLeast(@Nullable PrimaryRecord seen) {
		return seen == null || this.version == seen.version
				|| (this.raised > seen.raised && this.raised >= seen.raised + seen.gap && this.gap >= seen.gap
						&& this.failovers > seen.failovers && hasLaterTimes(seen.raisedAt));
	}

	private boolean hasLaterTimes(List<Instant> times) {
		for (int i = 0; i < times.size() && i < MAX_TIMES - 1; i++) {
			if (this.raisedAt.size() <= i + 1 || this.raisedAt.get(i + 1).isBefore(times.get(i))) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the record to write when the counters are raised.
	 * @param server the server on which the counters are raised
	 * @param seen the record that the process saw last, or {@code null}
	 * @param gap the gap of this process
	 * @param version the version of the new record
	 * @param time the time, on the clock of the server, until which the statement that
	 * raises the counters may begin, unless a former raise has a later time
	 */
	PrimaryRecord next(String server, @Nullable PrimaryRecord seen, long gap, long version, Instant time) {
		PrimaryRecord lost = (seen != null) ? seen : this;
		long largest = Math.max(gap, Math.max(this.gap, lost.gap));
		long sum = Math.max(this.raised, lost.raised) + largest;
		// Not before earlier raises, even if the clock of this server is behind. The
		// lists are then in order, so that only the earliest times are omitted, and each
		// list is later than the former ones. Too late a time makes periods begin higher
		// until this time has passed.
		Instant now = Stream.of(this.raisedAt, lost.raisedAt)
			.flatMap(List::stream)
			.reduce(time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS),
					(some, other) -> some.isAfter(other) ? some : other);
		// On this server, the counters are raised by more than one gap if it lacks raises
		// that this process has seen.
		long count = (sum - this.raised + largest - 1) / largest;
		List<Instant> some = Stream
			.concat(Stream.generate(() -> now).limit(Math.min(count, MAX_TIMES)), this.raisedAt.stream())
			.toList();
		List<Instant> others = Stream.concat(Stream.of(now), lost.raisedAt.stream()).toList();
		return new PrimaryRecord(server, Math.max(this.failovers + count, lost.failovers + 1), largest, sum, version,
				latest(some, others));
	}

	// At each position, the later of the two times is kept, so that Raises.since() counts
	// at least as many raises as with either list alone.
	private static List<Instant> latest(List<Instant> some, List<Instant> others) {
		List<Instant> times = new ArrayList<>();
		for (int i = 0; times.size() < MAX_TIMES && i < Math.max(some.size(), others.size()); i++) {
			Instant one = (i < some.size()) ? some.get(i) : Instant.MIN;
			Instant other = (i < others.size()) ? others.get(i) : Instant.MIN;
			times.add(one.isAfter(other) ? one : other);
		}
		return List.copyOf(times);
	}

}
