// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;

/**
 * Adapts the step of a key so that a segment lasts between one and two times the target
 * duration, as in Meituan's Leaf (15 to 30 minutes). To raise the step, Meituan's Leaf
 * only doubles it, and only from the third segment on. This class instead derives a
 * larger step from the rate at which numbers are issued, as soon as that rate is known.
 * So the first minute of a busy key needs a few fetches instead of a dozen.
 *
 * @param target how long a segment should last
 * @param maxStep the largest step that the adaptation may reach
 */
record StepPolicy(Duration target, long maxStep) {

	/**
	 * The largest factor by which the step grows from one fetch to the next. This limit
	 * prevents a short burst from taking millions of numbers.
	 */
	static final int MAX_GROWTH = 16;

	/**
	 * Returns the step of the next segment.
	 * @param step the step of the last segment, at least 1
	 * @param issued how many numbers have been issued since the last segment arrived
	 * @param elapsed the time since the last segment arrived
	 * @param rowStep the step of the row, at least 1
	 * @return the next step. It is never smaller than the row's step, and exceeds
	 * {@code maxStep} only if the row's step does
	 */
	long next(long step, long issued, Duration elapsed, long rowStep) {
		return Math.max(rowStep, Math.min(unbounded(step, issued, elapsed), this.maxStep));
	}

	private long unbounded(long step, long issued, Duration elapsed) {
		if (elapsed.isZero()) {
			return step;
		}
		double wanted = (double) issued / elapsed.toNanos() * this.target.toNanos();
		if (wanted > step) {
			return (long) Math.min(wanted, (double) step * MAX_GROWTH);
		}
		return (wanted >= step / 2.0) ? step : step / 2;
	}

}
