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
 * A stripe's refill against another thread of the stripe, and against the fence. A number
 * is in the segment, in a stripe, or issued, and never in two of these places: a run is
 * taken from the segment by one thread and put into the stripe by that thread alone.
 */
final class StripeRaces {

	private StripeRaces() {
	}

	/**
	 * Two threads find their stripe without numbers and draw twice: one refills it, the
	 * other draws from it or, meanwhile, from the segment. Afterwards all the numbers are
	 * drawn, to find each once.
	 */
	@JCStressTest
	@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "each number once, none left out")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number twice, or left out")
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
	 * As before, and the stripe has one number left, which but one thread can get.
	 */
	@JCStressTest
	@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "each number once, none left out")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number twice, or left out")
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
	 * A run is taken from the segment while a number is.
	 */
	@JCStressTest
	@Outcome(id = { "64, 128", "65, 64" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number twice, or left out")
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
	 * Two threads of a stripe without numbers: one draws twice, the other fences the
	 * segment and drains the stripe. The numbers drawn lie below the numbers given back,
	 * the third figure, and nothing is issued afterwards. Only the run that was about to
	 * be put into the stripe, [65, 128), may be lost.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 64, 1", "64, 0, 65, 1", "64, 65, 66, 1" }, expect = Expect.ACCEPTABLE,
			desc = "issued up to the fence, and given back from there on")
	@Outcome(id = "64, 0, 128, 1", expect = Expect.ACCEPTABLE, desc = "a run was on its way")
	@Outcome(expect = Expect.FORBIDDEN, desc = "issued and given back, or neither")
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
	 * The same with a sequence that is closed. Its segment is {@code [1, 128)}, 1 has
	 * been issued, and its first run is {@code [2, 64)}.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 2, 0", "2, 0, 3, 0", "2, 3, 4, 0" }, expect = Expect.ACCEPTABLE,
			desc = "issued up to the fence, and given back from there on")
	@Outcome(id = "2, 0, 64, 0", expect = Expect.ACCEPTABLE, desc = "a run was on its way")
	@Outcome(expect = Expect.FORBIDDEN, desc = "issued and given back, or neither")
	@State
	public static class Close {

		private static final SegmentSettings STRIPED = Sequences.settings(0, Ordering.STRIPED);

		private final KeySequence sequence = Sequences.preloaded(new Blocks(127), STRIPED, new Tasks());

		public Close() {
			// from the segment itself, and the switch to it is done
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
	 * A segment {@code [64, 256)} and a stripe that two threads share, and the drawing as
	 * {@link StripedSequence} does it: there a thread's ID decides on its stripe, so that
	 * no two threads could be made to share one.
	 */
	private static final class SharedStripe {

		private static final int FROM = 64;

		static final int TO = 256;

		final Segment segment = new Segment(FROM, TO, 0, 0);

		final Stripes stripes = new Stripes(1);

		final int stripe = this.stripes.own();

		/**
		 * Draws a number. It belongs to the caller if it is below {@link #TO}, and must
		 * not be used otherwise.
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
		 * Draws the remaining numbers, and counts the numbers that were drawn twice,
		 * those that were not drawn, and those that the stripe holds then.
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
