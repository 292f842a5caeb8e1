// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.jspecify.annotations.Nullable;

/**
 * A block of numbers {@code [from, to)} and the cursor that issues them.
 */
final class Segment extends PaddedCursor {

	// A number belongs to the caller whose fetch-and-add on the cursor returned it. Up to
	// the end the cursor only grows, so no number is issued twice, whatever else happens.
	//
	// The caller compares the number with one value, the limit. The limit starts at the
	// prefetch mark: one caller alone draws the number at the mark, or a range that
	// contains it. This caller moves the limit to the end and starts the fetch of the
	// successor. A caller that still sees the old limit takes the slow path once, which
	// returns the same number.
	//
	// After the last number was drawn, every attempt to draw still advances the cursor.
	// The cursor cannot overflow, because stores refuse to allocate numbers beyond
	// SegmentStore.MAX_END.
	//
	// fence() exchanges the cursor's value for the end. All numbers drawn before lie
	// below the old value, and nothing is issued afterwards. So all numbers from the old
	// value on may be given back.

	/**
	 * The result of {@link #drawRun} and {@link #drawRange} if nothing was drawn.
	 */
	static final long NONE = -1;

	private final long from;

	private final long to;

	private final long mark;

	private final long before;

	private volatile long limit;

	private volatile @Nullable Segment successor;

	/**
	 * Creates a segment.
	 * @param from the first number
	 * @param to the end, exclusive
	 * @param prefetchAt the part of the segment, 0 to 1, that lies before the prefetch
	 * mark
	 * @param before how many numbers all earlier segments of the key have held in total
	 */
	Segment(long from, long to, double prefetchAt, long before) {
		super(from);
		this.before = before;
		this.from = from;
		this.to = to;
		this.mark = Math.max(from, Math.min(to - 1, from + (long) ((to - from) * prefetchAt)));
		this.limit = this.mark;
	}

	/**
	 * Returns a segment without numbers, which precedes the first segment of a key.
	 */
	static Segment empty() {
		return new Segment(0, 0, 0, 0);
	}

	/**
	 * Draws a number.
	 * @return the number; it belongs to the caller if it is below {@link #to()}, and must
	 * not be used otherwise
	 */
	long draw() {
		return getAndAdd(1);
	}

	/**
	 * Draws {@code count} numbers.
	 * @return the first of them; those below {@link #to()} belong to the caller, and the
	 * others must not be used
	 */
	long draw(int count) {
		// adding so much to the cursor of a used-up segment would soon make the cursor
		// overflow
		return (cursor() < this.to) ? getAndAdd(count) : this.to;
	}

	/**
	 * Draws a run: the numbers up to the next multiple of {@link Stripes#RUN}.
	 * @return the first of them, or {@link #NONE} if the segment ends before that
	 * multiple
	 */
	long drawRun() {
		while (true) {
			long first = cursor();
			long end = Stripes.end(first);
			if (end > this.to) {
				return NONE;
			}
			if (compareAndSet(first, end)) {
				return first;
			}
		}
	}

	/**
	 * Draws {@code count} numbers if the segment holds as many.
	 * @param count how many
	 * @param floor the smallest number that may be drawn
	 * @return the first of them, or {@link #NONE} if fewer are left or the next one lies
	 * below the floor
	 */
	long drawRange(long count, long floor) {
		while (true) {
			long first = cursor();
			if (first < floor || count > this.to - first) {
				return NONE;
			}
			if (compareAndSet(first, first + count)) {
				return first;
			}
		}
	}

	/**
	 * Returns the bound below which a drawn number needs no further check: the prefetch
	 * mark, or the end once the number at the mark has been drawn.
	 */
	long limit() {
		return this.limit;
	}

	/**
	 * Checks whether the numbers {@code [first, end)}, which the caller has drawn,
	 * include the mark. If they do, moves the limit to the end of the segment.
	 * @return whether the caller must request the successor; {@code true} for at most one
	 * caller
	 */
	boolean claimMark(long first, long end) {
		if (first <= this.mark && this.mark < end) {
			this.limit = this.to;
			return true;
		}
		return false;
	}

	/**
	 * Returns whether the number at the mark has been drawn.
	 */
	boolean isMarkPassed() {
		return cursor() > this.mark;
	}

	/**
	 * Stops issuing numbers of this segment permanently.
	 * @return the first number that was not issued; {@link #to()} if all were, or if the
	 * segment was fenced before
	 */
	long fence() {
		return Math.min(getAndSet(this.to), this.to);
	}

	@Nullable Segment successor() {
		return this.successor;
	}

	void setSuccessor(Segment successor) {
		this.successor = successor;
	}

	long from() {
		return this.from;
	}

	long to() {
		return this.to;
	}

	/**
	 * Returns the number to be issued next, or {@link #to()} if all have been.
	 */
	long next() {
		return Math.min(cursor(), this.to);
	}

	boolean isUsedUp() {
		return next() == this.to;
	}

	/**
	 * Returns how many numbers of this segment and all earlier ones have been drawn, or
	 * taken out by {@link #fence()}. The result never decreases.
	 */
	long drawn() {
		return this.before + next() - this.from;
	}

}
