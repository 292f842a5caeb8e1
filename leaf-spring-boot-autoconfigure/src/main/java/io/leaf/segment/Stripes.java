// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Short runs of numbers, one a stripe. Each thread belongs to a stripe; several may
 * belong to the same. Numbers stay in their stripe until they are drawn, whatever becomes
 * of the segment they came from.
 */
final class Stripes {

	// The state of a stripe is one number. A run ends before the next multiple of RUN, so
	// the number to be issued next tells where the run ends, too, and no second field has
	// to agree with it.
	//
	// no multiple of RUN: the number to be issued next; drawn by exchanging it for the
	// one
	// after it.
	// a multiple of RUN: the run is used up. 0 in the beginning, and after draining.
	// negative, a multiple of RUN: a thread refills the stripe, the one with this token.
	//
	// used up -> being refilled: claim(). One thread gets through, and only it takes a
	// run
	// from the segment; the others do without one meanwhile.
	// being refilled -> numbers: fill(), from the second number of the run on. The first
	// one is the refiller's own, which is why no stripe ever holds a multiple of RUN.
	// being refilled -> used up: abandon().
	// any -> used up: drain(). A fill() of somebody who claimed before finds its token
	// gone, so that nothing is issued from a stripe that was drained.

	/**
	 * The length of a run that begins at a multiple of it. A power of two.
	 */
	static final long RUN = 64;

	/**
	 * What {@link #draw} returns where it has no number.
	 */
	static final long NONE = -1;

	private static final long USED_UP = 0;

	private static final int MAX_STRIPES = 32;

	/**
	 * Longs in two cache lines. Processors fetch lines in pairs.
	 */
	private static final int PADDING = 16;

	private final AtomicLongArray states;

	private final int indexShift;

	Stripes() {
		this(Runtime.getRuntime().availableProcessors());
	}

	/**
	 * Creates stripes without numbers.
	 * @param processors how many threads run at the same time. There are four stripes to
	 * each, lest two of them meet
	 */
	Stripes(int processors) {
		int stripes = Integer.highestOneBit(Math.max(2, Math.min(MAX_STRIPES, 4 * processors)));
		this.states = new AtomicLongArray((stripes + 1) * PADDING);
		this.indexShift = Long.SIZE - Integer.numberOfTrailingZeros(stripes);
	}

	/**
	 * Returns the stripe of the calling thread.
	 */
	int own() {
		// Multiples of the golden ratio spread evenly, so threads with IDs in a row do.
		long hash = Thread.currentThread().getId() * 0x9e3779b97f4a7c15L;
		return ((int) (hash >>> this.indexShift) + 1) * PADDING;
	}

	/**
	 * Draws a number.
	 * @return the number, or {@link #NONE} if the stripe holds none
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
	 * @return whether the caller is to refill it: to end with {@link #fill} or
	 * {@link #abandon}
	 */
	boolean claim(int stripe) {
		long state = this.states.get(stripe);
		return state >= 0 && isMultipleOfRun(state) && this.states.compareAndSet(stripe, state, token());
	}

	/**
	 * Refills a stripe that this thread has claimed.
	 * @param next the second number of the run
	 */
	void fill(int stripe, long next) {
		this.states.compareAndSet(stripe, token(), next);
	}

	/**
	 * Leaves a stripe that this thread has claimed as it was.
	 */
	void abandon(int stripe) {
		this.states.compareAndSet(stripe, token(), USED_UP);
	}

	/**
	 * Takes all numbers out of the stripes. A run that a thread is about to put in is
	 * lost.
	 * @param end a number
	 * @return the first of the numbers right before {@code end} that a stripe still held;
	 * {@code end} if there are none
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
	 * Returns where the run ends that a number belongs to, exclusive.
	 */
	static long end(long number) {
		return (number | (RUN - 1)) + 1;
	}

	private static boolean isMultipleOfRun(long number) {
		return (number & (RUN - 1)) == 0;
	}

	// an ID is never 0, so a token is negative
	private static long token() {
		return -Thread.currentThread().getId() * RUN;
	}

}
