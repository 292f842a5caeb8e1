// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The status of a key, as read from memory. The components are not read at the same
 * moment, so they may be inconsistent by a few numbers while callers draw.
 *
 * @param ordering the order in which IDs are issued. With {@link Ordering#GLOBAL},
 * numbers are never kept in memory
 * @param current the segment that numbers are issued from, or {@code null} if no segment
 * has arrived yet
 * @param next the segment after the current one, or {@code null} if there is no such
 * segment
 * @param step the current step. If a waiting call needs more numbers than that, the fetch
 * requests as many as the call needs
 * @param rowStep the step of the row, as last read from the store
 * @param fetches how many segments have been fetched. With {@link Ordering#GLOBAL}, each
 * allocation counts as a segment
 * @param failures how many attempts to fetch a segment have failed or been refused
 * @param failedAttempts how many attempts of the present fetch have failed, or 0 if no
 * fetch is in flight
 * @param waits how many calls had to wait for numbers
 * @param waited how long calls have waited in total
 * @param awaited how long the present fetch has been in flight, if a call has had to wait
 * for this fetch, even if that call has given up in the meantime; otherwise zero. Zero
 * also if the only calls that had to wait have failed because the store refused an
 * attempt. With {@link Ordering#GLOBAL}, how long the first call in the queue has been
 * waiting
 * @param numbers how many numbers were issued, how many were given back, and how many
 * were lost
 * @param lastFetch when the last segment arrived, or {@code null} if no segment has
 * arrived yet
 * @param lastError the reason for the last failure, or {@code null} if no attempt has
 * failed
 * @param period the period from which numbers were allocated last, or {@code null} if the
 * key has no periods, no numbers were allocated, or that period has ended
 */
public record SegmentStatus(Ordering ordering, @Nullable Current current, @Nullable Range next, long step, long rowStep,
		long fetches, long failures, int failedAttempts, long waits, Duration waited, Duration awaited, Numbers numbers,
		@Nullable Instant lastFetch, @Nullable String lastError, @Nullable PeriodStatus period) {

	/**
	 * The segment that numbers are issued from.
	 *
	 * @param from the first number
	 * @param to the end, exclusive
	 * @param next the number to be issued next. With {@linkplain Ordering#STRIPED striped
	 * ordering}, the first number of the next run that a thread draws
	 * @param remaining how many numbers are left. With striped ordering, these include
	 * the unused numbers of runs, even of runs that come from an earlier segment
	 */
	public record Current(long from, long to, long next, long remaining) {

	}

	/**
	 * How many numbers were issued, how many were given back, and how many were lost
	 * since startup.
	 *
	 * @param issued given to callers
	 * @param givenBack returned to the store when the generator was closed
	 * @param lost neither issued nor given back, for example because the row was removed,
	 * or because another process had allocated later numbers, so that these numbers could
	 * not be given back
	 */
	public record Numbers(long issued, long givenBack, long lost) {

	}

	/**
	 * A period of a key.
	 *
	 * @param number the number that identifies the period, such as 20261122 for a day
	 * @param allocated how many numbers of the period had been allocated by all processes
	 * together, or skipped after failovers, when this process last allocated numbers
	 * @param capacity how many numbers the period has
	 * @param until when the period ends
	 */
	public record PeriodStatus(long number, long allocated, long capacity, Instant until) {

	}

	/**
	 * A range of numbers.
	 *
	 * @param from the first number
	 * @param to the end, exclusive
	 */
	public record Range(long from, long to) {

	}

}
