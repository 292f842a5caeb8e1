// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The status of a key, as read from memory. The components are read one after the other,
 * so they may differ by a few numbers while callers draw.
 *
 * @param ordering the order in which IDs are issued. With {@link Ordering#GLOBAL},
 * numbers are never kept in memory
 * @param current the segment that numbers are issued from, or {@code null} before the
 * first
 * @param next the segment after it, or {@code null} if there is none
 * @param step the current step; a fetch requests more numbers if a call needs more
 * @param rowStep the step of the row, as read last
 * @param fetches how many segments have been fetched
 * @param failures how many attempts to fetch a segment have failed or were refused
 * @param failedAttempts how many attempts have failed since the last segment arrived; 0
 * if the last attempt succeeded
 * @param waits how many calls had to wait for numbers
 * @param waited how long they have waited in total
 * @param awaited how long the present fetch has been in flight, if a call has had to wait
 * for it, even if that call has given up since; otherwise zero. With
 * {@link Ordering#GLOBAL}, how long the first call in the queue has been waiting
 * @param numbers how many numbers were issued, given back and lost
 * @param lastFetch when the last segment arrived, or {@code null} before the first
 * @param lastError why the last failed attempt failed, or {@code null} if none has failed
 * @param period the period from which numbers were allocated last, or {@code null} if the
 * key has no period, none were allocated, or the period has ended
 */
public record SegmentStatus(Ordering ordering, @Nullable Current current, @Nullable Range next, long step, long rowStep,
		long fetches, long failures, int failedAttempts, long waits, Duration waited, Duration awaited, Numbers numbers,
		@Nullable Instant lastFetch, @Nullable String lastError, @Nullable PeriodStatus period) {

	/**
	 * The segment that numbers are issued from.
	 *
	 * @param from the first number
	 * @param to the end, exclusive
	 * @param next the number to be issued next; in striped order, the first number of the
	 * next run
	 * @param remaining how many numbers are left; in striped order, including the unused
	 * numbers of runs, even if they come from the segment before
	 */
	public record Current(long from, long to, long next, long remaining) {

	}

	/**
	 * How many numbers were issued, given back and lost since startup.
	 *
	 * @param issued given to callers
	 * @param givenBack returned to the store when the generator was closed
	 * @param lost neither issued nor given back, for example because the row was removed,
	 * or because another process had allocated numbers before the generator was closed
	 */
	public record Numbers(long issued, long givenBack, long lost) {

	}

	/**
	 * A period of a key.
	 *
	 * @param number its number
	 * @param allocated how many of its numbers all processes had allocated when this
	 * process allocated last
	 * @param capacity how many numbers it has
	 * @param until when it ends
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
