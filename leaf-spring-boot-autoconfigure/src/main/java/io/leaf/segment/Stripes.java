// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Short runs of numbers, one per stripe. Each thread belongs to one stripe, which it may
 * share with other threads. Numbers stay in their stripe until they are drawn, even if
 * the segment that they came from has been used up.
 */
final class Stripes {

	// The state of a stripe is a single number. No second field is needed, because a run
	// ends before the next multiple of RUN, so that the number to be issued next also
	// determines where the run ends.
	//
	// holding numbers (not a multiple of RUN): the state is the number to be issued next.
	// A thread draws this number by adding one to the state.
	// used up (0 or a positive multiple of RUN): the state is 0 at the beginning and
	// after draining.
	// being refilled (a negative multiple of RUN): the state is the token of the thread
	// that is refilling the stripe, which is computed from the ID of the thread.
	//
	// used up -> being refilled: claim(). One thread succeeds, and only that thread takes
	// a run from the segment. Meanwhile, the other threads draw single numbers from the
	// segment.
	// being refilled -> holding numbers: fill(), which sets the state to the second
	// number of the run. The refilling thread uses the first number itself. Only the
	// first number of a run can be a multiple of RUN, so no stripe ever has to issue such
	// a number.
	// holding numbers -> used up: draw() of the last number of the run.
	// being refilled -> used up: abandon().
	// any -> used up: drain(). If a thread had claimed the stripe before, the fill() of
	// that thread finds that the token is gone, and has no effect. So nothing is issued
	// from a drained stripe.

	/**
	 * The length of a full run. The last number of every run is one less than a multiple
	 * of this length, which is a power of two.
	 */
	static final long RUN = 64;

	/**
	 * The result of {@link #draw} if the stripe holds no number.
	 */
	static final long NONE = -1;

	private static final long USED_UP = 0;

	private static final int MAX_STRIPES = 32;

	/**
	 * The number of longs in two cache lines. Some processors fetch cache lines in pairs.
	 */
	private static final int PADDING = 16;

	private final AtomicLongArray states;

	private final int indexShift;

	Stripes() {
		this(Runtime.getRuntime().availableProcessors());
	}

	/**
	 * Creates stripes without numbers.
	 * @param processors how many threads can run at the same time. So that two running
	 * threads rarely share a stripe, there are up to four stripes for each of these
	 * threads, but at most 32 in total
	 */
	Stripes(int processors) {
		int stripes = Integer.highestOneBit(Math.max(2, Math.min(MAX_STRIPES, 4 * processors)));
		this.states = new AtomicLongArray((stripes + 1) * PADDING);
		this.indexShift = Long.SIZE - Integer.numberOfTrailingZeros(stripes);
	}

	/**
	 * Returns the index of the state of the calling thread's stripe.
	 */
	int own() {
		// multiples of the golden ratio spread threads with consecutive IDs evenly over
		// the stripes
		long hash = Thread.currentThread().getId() * 0x9e3779b97f4a7c15L;
		return ((int) (hash >>> this.indexShift) + 1) * PADDING;
	}

	/**
	 * Draws a number.
	 * @return the number, or {@link #NONE} if the stripe holds no number
	 */
	long draw(int stripe) {
		while (true) {
			long number = this.states.get(stripe);
			if (isMultipleOfRun(number)) {
				return NONE;
			}
			if (this.states.weakCompareAndSetVolatile(stripe, number, number + 1)) {
				return number;
			}
		}
	}

	/**
	 * Claims a stripe that is used up, to refill it.
	 * @return whether the claim succeeded. If so, the caller must call {@link #fill} or
	 * {@link #abandon}
	 */
	boolean claim(int stripe) {
		long state = this.states.get(stripe);
		return state >= 0 && isMultipleOfRun(state) && this.states.compareAndSet(stripe, state, token());
	}

	/**
	 * Refills a stripe that this thread has claimed. Has no effect if the stripe has been
	 * drained since.
	 * @param next the second number of the run, because this thread issues the first
	 * number itself
	 */
	void fill(int stripe, long next) {
		this.states.compareAndSet(stripe, token(), next);
	}

	/**
	 * Releases a stripe that this thread has claimed, without refilling it.
	 */
	void abandon(int stripe) {
		this.states.compareAndSet(stripe, token(), USED_UP);
	}

	/**
	 * Takes all numbers out of the stripes. If a thread has claimed a stripe and taken a
	 * run, but has not filled the stripe yet, all numbers of the run except the first are
	 * lost.
	 * @param end the number directly below which numbers are looked for
	 * @return the first of the contiguous numbers directly below {@code end} that a
	 * stripe held, or {@code end} if no stripe held the number directly below {@code end}
	 */
	long drain(long end) {
		long from = end;
		for (int stripe = PADDING; stripe < this.states.length(); stripe += PADDING) {
			long next = this.states.getAndSet(stripe, USED_UP);
			if (!isMultipleOfRun(next) && end(next) == end) {
				from = next;
			}
		}
		return from;
	}

	/**
	 * Returns how many numbers the stripes hold.
	 */
	long size() {
		long size = 0;
		for (int stripe = PADDING; stripe < this.states.length(); stripe += PADDING) {
			long next = this.states.get(stripe);
			size += isMultipleOfRun(next) ? 0 : end(next) - next;
		}
		return size;
	}

	/**
	 * Returns the end, exclusive, of the run that a number belongs to.
	 */
	static long end(long number) {
		return (number | (RUN - 1)) + 1;
	}

	private static boolean isMultipleOfRun(long number) {
		return (number & (RUN - 1)) == 0;
	}

	// a negative multiple of RUN, because the ID of a thread is positive
	private static long token() {
		return -Thread.currentThread().getId() * RUN;
	}

}
