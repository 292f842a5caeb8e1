// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A segment {@code [64, 256)} and a stripe that two threads share, and the drawing as
 * {@link StripedSequence} does it: there a thread's ID decides on its stripe, so that no
 * two threads could be made to share one.
 */
final class SharedStripe {

	private static final int FROM = 64;

	static final int TO = 256;

	final Segment segment = new Segment(FROM, TO, 0, 0);

	final Stripes stripes = new Stripes(1);

	final int stripe = this.stripes.own();

	/**
	 * Draws a number. It belongs to the caller if it is below {@link #TO}, and must not
	 * be used otherwise.
	 */
	long draw() {
		long id = this.stripes.draw(this.stripe);
		if (id != Stripes.NONE) {
			return id;
		}
		if (this.stripes.claim(this.stripe)) {
			long first = this.segment.drawRun();
			if (first != Segment.NONE) {
				this.stripes.fill(this.stripe, first + 1);
				return first;
			}
			this.stripes.abandon(this.stripe);
		}
		return this.segment.draw();
	}

	/**
	 * Draws the remaining numbers, and counts the numbers that were drawn twice, those
	 * that were not drawn, and those that the stripe holds then.
	 */
	void drain(III_Result result, long... drawn) {
		int[] times = new int[TO - FROM];
		for (long id : drawn) {
			times[(int) id - FROM]++;
		}
		for (long id = draw(); id < TO; id = draw()) {
			times[(int) id - FROM]++;
		}
		for (int count : times) {
			result.r1 += (count > 1) ? 1 : 0;
			result.r2 += (count == 0) ? 1 : 0;
		}
		result.r3 = (int) this.stripes.size();
	}

}
