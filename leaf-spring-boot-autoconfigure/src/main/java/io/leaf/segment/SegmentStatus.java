// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How a key is doing, as read from memory at one moment. The components are read one
 * after the other, so with callers at work they may be a few numbers apart.
 *
 * @param current the segment numbers are issued from, or {@code null} before the first
 * @param next the segment after it, or {@code null} if there is none at present
 * @param step how many numbers were asked for last
 * @param rowStep the step that the row stated last
 * @param fetches how many segments have been fetched
 * @param failures how many attempts to fetch one have failed or were refused
 * @param failedAttempts how many attempts have failed since the last segment arrived; 0
 * if the last one succeeded
 * @param waits how many calls had to wait for a segment
 * @param waited how long they have waited, all together
 * @param awaited for how long a fetch has been in flight that a call needs: it had to
 * wait, and may have given up since; zero if there is none
 * @param numbers what has become of the numbers fetched
 * @param lastFetch when the last segment arrived, or {@code null} before the first
 * @param lastError why the last failed attempt failed, or {@code null} if none has
 */
public record SegmentStatus(@Nullable Current current, @Nullable Range next, long step, long rowStep, long fetches,
		long failures, int failedAttempts, long waits, Duration waited, Duration awaited, Numbers numbers,
		@Nullable Instant lastFetch, @Nullable String lastError) {

	/**
	 * The segment numbers are issued from.
	 *
	 * @param from the first number
	 * @param to the end, exclusive
	 * @param next the number to be issued next, in striped order the number to be taken
	 * next by a thread that needs a run
	 * @param remaining how many are left, those included that threads have taken in
	 * striped order, be it from the segment before, and not used yet
	 */
	public record Current(long from, long to, long next, long remaining) {

	}

	/**
	 * How many numbers went which way since the start.
	 *
	 * @param issued given to callers
	 * @param givenBack returned to the store when the generator was closed
	 * @param lost fetched, and neither issued nor given back: when the row was removed,
	 * or when the generator was closed and somebody had allocated after them
	 */
	public record Numbers(long issued, long givenBack, long lost) {

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
