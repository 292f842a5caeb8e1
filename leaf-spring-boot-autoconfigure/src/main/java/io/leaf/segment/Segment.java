// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.jspecify.annotations.Nullable;

/**
 * A block of numbers {@code [from, to)} and its cursor, which is the next number to be
 * drawn.
 */
final class Segment extends PaddedCursor {

	// A number belongs to the caller that moved the cursor past it. Until the cursor
	// reaches the end of the segment, it only grows. Afterwards, it never falls below the
	// end. So no number is issued twice.
	//
	// A caller that has drawn one number compares it with only one value, the limit,
	// which is at first the prefetch mark. If the number lies below the limit, the caller
	// is done. Exactly one caller draws the number at the mark, or a range that contains
	// this number. This caller moves the limit to the end and starts the fetch of the
	// successor. A caller that still sees the old limit takes the slow path (see
	// SegmentSequence), which returns the number that the caller has drawn.
	//
	// After the last number has been drawn, each further call of draw() still advances
	// the cursor by one. The cursor does not overflow, because stores never allocate
	// numbers beyond SegmentStore.MAX_END, which is far enough below Long.MAX_VALUE.
	//
	// fence() sets the cursor to the end, and returns the old value or the end, whichever
	// is smaller. All numbers that callers have drawn lie below the returned value, and
	// no number of the segment is drawn afterwards. So all numbers from the returned
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
	 * @param prefetchAt the fraction of the segment, from 0 to 1, that lies before the
	 * prefetch mark
	 * @param before the total size of all earlier segments of the key
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
	 * @return the number. If the number is below {@link #to()}, it belongs to the caller.
	 * Otherwise, the caller must not use it
	 */
	long draw() {
		return getAndAdd(1);
	}

	/**
	 * Draws {@code count} numbers.
	 * @return the first of the numbers. Those below {@link #to()} belong to the caller.
	 * The caller must not use the others
	 */
	long draw(int count) {
		// the cursor is not advanced once the segment is used up, because the counts of
		// many calls could make it overflow
		return (cursor() < this.to) ? getAndAdd(count) : this.to;
	}

	/**
	 * Draws a run: the numbers up to the next multiple of {@link Stripes#RUN}, exclusive.
	 * @return the first number of the run, or {@link #NONE} if the segment ends before
	 * that multiple
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
	 * Draws {@code count} numbers if the segment has that many left.
	 * @param count how many numbers
	 * @param floor the smallest number that may be drawn
	 * @return the first of the numbers, or {@link #NONE} if fewer are left or the next
	 * number lies below the floor
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
	 * Returns the bound below which a drawn number needs no further check. This is the
	 * prefetch mark or, once the number at the mark has been drawn, the end of the
	 * segment.
	 */
	long limit() {
		return this.limit;
	}

	/**
	 * Checks whether the numbers {@code [first, end)}, which the caller has drawn,
	 * include the prefetch mark. If so, moves the limit to the end of the segment.
	 * @return whether the caller must request the successor. At most one caller gets
	 * {@code true}
	 */
	boolean claimMark(long first, long end) {
		if (first <= this.mark && this.mark < end) {
			this.limit = this.to;
			return true;
		}
		return false;
	}

	/**
	 * Returns whether the number at the mark has been drawn, or has been taken out by
	 * {@link #fence()}.
	 */
	boolean isMarkPassed() {
		return cursor() > this.mark;
	}

	/**
	 * Takes out the numbers that have not been drawn, so that no caller draws them.
	 * @return the first of these numbers, or {@link #to()} if all numbers have been drawn
	 * or the segment has already been fenced
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
	 * Returns the number to be drawn next, or {@link #to()} if all numbers have been
	 * drawn or the segment has been fenced.
	 */
	long next() {
		return Math.min(cursor(), this.to);
	}

	boolean isUsedUp() {
		return next() == this.to;
	}

	/**
	 * Returns how many numbers of this segment and of all earlier segments have been
	 * drawn, or have been taken out by {@link #fence()}. The result never decreases.
	 */
	long drawn() {
		return this.before + next() - this.from;
	}

}
