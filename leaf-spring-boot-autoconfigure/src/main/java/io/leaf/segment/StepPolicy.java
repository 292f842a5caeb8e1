// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;

/**
 * Adapts the step of a key so that a segment lasts between one and two times the target
 * duration, which is Meituan's rule (15 to 30 minutes). Meituan's Leaf doubles the step
 * from the third segment on; here the step follows the rate of the numbers issued, from
 * the first fetch that knows one, so that the first minute of a busy key needs a few
 * fetches and not a dozen.
 *
 * @param target how long a segment should last
 * @param maxStep the largest step that adapting reaches
 */
record StepPolicy(Duration target, long maxStep) {

	/**
	 * By how much the step grows at most from one fetch to the next: a burst of a moment
	 * must not take millions of numbers.
	 */
	static final int MAX_GROWTH = 16;

	/**
	 * Returns the step of the next segment.
	 * @param step the step of the last segment, at least 1
	 * @param issued how many numbers have been issued since that segment arrived
	 * @param elapsed the time since it arrived
	 * @param rowStep the step in the row, the lower bound, at least 1
	 * @return the next step: never below the row's, and above {@code maxStep} only if the
	 * row's step is
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
