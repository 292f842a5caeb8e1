// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.segment.SegmentStore.Unissued;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.JJJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Races between the refill of a stripe and another thread that uses the stripe, and
 * between the refill and the fence. A number is in the segment or in a stripe, or it has
 * been issued, but never two of these: the thread that takes a run from the segment is
 * the only thread that puts this run into the stripe.
 */
final class StripeRaces {

	private StripeRaces() {
	}

	/**
	 * Two threads find that their stripe is used up, and draw twice each. One thread
	 * refills the stripe. The other thread draws from the stripe or, during the refill,
	 * from the segment. Afterwards, all remaining numbers are drawn, to check that each
	 * number is issued once.
	 */
	@JCStressTest
	@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "each number is issued once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is issued twice or left out")
	@State
	public static class Refill {

		private final SharedStripe shared = new SharedStripe();

		private long first;

		private long second;

		private long third;

		private long fourth;

		@Actor
		public void one() {
			this.first = this.shared.draw();
			this.second = this.shared.draw();
		}

		@Actor
		public void other() {
			this.third = this.shared.draw();
			this.fourth = this.shared.draw();
		}

		@Arbiter
		public void drain(III_Result result) {
			this.shared.drain(result, this.first, this.second, this.third, this.fourth);
		}

	}

	/**
	 * As in {@link Refill}, but the stripe has one number left, which only one of the
	 * threads can get.
	 */
	@JCStressTest
	@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "each number is issued once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is issued twice or left out")
	@State
	public static class LastOfRun {

		private final SharedStripe shared = new SharedStripe();

		private final long[] before = new long[(int) Stripes.RUN - 1];

		private long first;

		private long second;

		private long third;

		private long fourth;

		public LastOfRun() {
			for (int i = 0; i < this.before.length; i++) {
				this.before[i] = this.shared.draw();
			}
		}

		@Actor
		public void one() {
			this.first = this.shared.draw();
			this.second = this.shared.draw();
		}

		@Actor
		public void other() {
			this.third = this.shared.draw();
			this.fourth = this.shared.draw();
		}

		@Arbiter
		public void drain(III_Result result) {
			long[] drawn = new long[this.before.length + 4];
			System.arraycopy(this.before, 0, drawn, 4, this.before.length);
			drawn[0] = this.first;
			drawn[1] = this.second;
			drawn[2] = this.third;
			drawn[3] = this.fourth;
			this.shared.drain(result, drawn);
		}

	}

	/**
	 * One thread draws a run from the segment while the other draws a number.
	 */
	@JCStressTest
	@Outcome(id = { "64, 128", "65, 64" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is issued twice or left out")
	@State
	public static class RunAndNumber {

		private final Segment segment = new Segment(64, 256, 0, 0);

		@Actor
		public void run(JJ_Result result) {
			result.r1 = this.segment.drawRun();
		}

		@Actor
		public void number(JJ_Result result) {
			result.r2 = this.segment.draw();
		}

	}

	/**
	 * Two threads share a stripe that is used up. One thread draws twice while the other
	 * fences the segment and drains the stripe. The third result is the first of the
	 * numbers to give back. The numbers that were drawn lie below it, and no number is
	 * issued afterwards. Only the run that was about to be put into the stripe,
	 * {@code [65, 128)}, may be lost.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 64, 1", "64, 0, 65, 1", "64, 65, 66, 1" }, expect = Expect.ACCEPTABLE,
			desc = "issued below the fence, and given back from the fence on")
	@Outcome(id = "64, 0, 128, 1", expect = Expect.ACCEPTABLE, desc = "a run is lost")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is both issued and given back, or neither")
	@State
	public static class Fence {

		private final SharedStripe shared = new SharedStripe();

		@Actor
		public void caller(JJJJ_Result result) {
			result.r1 = idOrNone();
			result.r2 = idOrNone();
		}

		@Actor
		public void fence(JJJJ_Result result) {
			result.r3 = this.shared.stripes.drain(this.shared.segment.fence());
		}

		@Arbiter
		public void late(JJJJ_Result result) {
			result.r4 = (idOrNone() == 0 && this.shared.stripes.size() == 0) ? 1 : 0;
		}

		private long idOrNone() {
			long id = this.shared.draw();
			return (id < SharedStripe.TO) ? id : 0;
		}

	}

	/**
	 * As in {@link Fence}, but with a sequence that is being closed. Its segment is
	 * {@code [1, 128)}, the number 1 has been issued, and the first run is
	 * {@code [2, 64)}.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 2, 0", "2, 0, 3, 0", "2, 3, 4, 0" }, expect = Expect.ACCEPTABLE,
			desc = "issued below the fence, and given back from the fence on")
	@Outcome(id = "2, 0, 64, 0", expect = Expect.ACCEPTABLE, desc = "a run is lost")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is both issued and given back, or neither")
	@State
	public static class Close {

		private static final SegmentSettings STRIPED = Sequences.settings(0, Ordering.STRIPED);

		private final KeySequence sequence = Sequences.preloaded(new Blocks(127), STRIPED, new Tasks());

		public Close() {
			// draws 1 from the segment itself, and completes the switch to this segment
			this.sequence.nextId();
		}

		@Actor
		public void caller(JJJJ_Result result) {
			result.r1 = Sequences.idOrNone(this.sequence);
			result.r2 = Sequences.idOrNone(this.sequence);
		}

		@Actor
		public void close(JJJJ_Result result) {
			this.sequence.close();
			Unissued range = this.sequence.fence();
			result.r3 = (range != null) ? range.from() : 0;
		}

		@Arbiter
		public void late(JJJJ_Result result) {
			result.r4 = Sequences.idOrNone(this.sequence);
		}

	}

	/**
	 * A segment {@code [64, 256)} and a stripe that two threads share. They draw numbers
	 * as {@link StripedSequence} does. That class itself is not used, because it chooses
	 * the stripe by the ID of the thread, so that a test cannot make two threads share a
	 * stripe.
	 */
	private static final class SharedStripe {

		private static final int FROM = 64;

		static final int TO = 256;

		final Segment segment = new Segment(FROM, TO, 0, 0);

		final Stripes stripes = new Stripes(1);

		final int stripe = this.stripes.own();

		/**
		 * Draws a number. If the number is below {@link #TO}, it belongs to the caller.
		 * Otherwise, the caller must not use it.
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
		 * Draws the remaining numbers. The results count the numbers that were drawn more
		 * than once, the numbers that were not drawn, and the numbers that are left in
		 * the stripe.
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

}
