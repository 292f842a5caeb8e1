// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * The switch from one segment to the next. The numbers of both are drawn once each, and
 * none is left out: the cursor gives a number to one caller, and a caller that finds none
 * left moves on to the one successor there is.
 */
final class SwitchRaces {

	private SwitchRaces() {
	}

	/**
	 * Two callers, one number left, the successor in memory: one caller gets the number,
	 * the other the first of the successor. The same number for both is a duplicate; 4
	 * for one of them would leave out 3.
	 */
	@JCStressTest
	@Outcome(id = { "2, 3, 4", "3, 2, 4" }, expect = Expect.ACCEPTABLE, desc = "each number once, none left out")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number twice, or left out")
	@State
	public static class SuccessorThere {

		private final KeySequence sequence = Sequences.preloaded(new Blocks(2, 10), Sequences.MARK_FIRST, new Tasks());

		public SuccessorThere() {
			this.sequence.nextId();
		}

		@Actor
		public void one(JJJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void other(JJJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

		@Arbiter
		public void next(JJJ_Result result) {
			result.r3 = this.sequence.nextId();
		}

	}

	/**
	 * Two callers, one number left, which is the mark, and no successor: while one has it
	 * fetched, the other waits for it or asks for it itself. That must lead to one fetch
	 * for this segment and, since its mark is drawn too, to one more: a further fetch
	 * would put its segment in the place of another, whose numbers are lost.
	 */
	@JCStressTest
	@Outcome(id = { "1, 2, 3, 3", "2, 1, 3, 3" }, expect = Expect.ACCEPTABLE, desc = "a fetch for each segment")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number twice or left out, or another number of fetches")
	@State
	public static class SuccessorArriving {

		private final Blocks store = new Blocks(1, 10);

		private final KeySequence sequence = Sequences.preloaded(this.store, Sequences.MARK_FIRST, new Tasks());

		@Actor
		public void one(JJJJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void other(JJJJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

		@Arbiter
		public void next(JJJJ_Result result) {
			result.r3 = this.sequence.nextId();
			result.r4 = this.store.allocations();
		}

	}

	/**
	 * A caller for one number and one for two, if one is left: the batch takes the rest
	 * of the segment and continues in the successor, from which the other caller draws
	 * meanwhile.
	 */
	@JCStressTest
	@Outcome(id = { "2, 3, 4, 5", "3, 2, 4, 5", "4, 2, 3, 5" }, expect = Expect.ACCEPTABLE,
			desc = "each number once, none left out")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number twice, or left out")
	@State
	public static class BatchAcross {

		private final KeySequence sequence = Sequences.preloaded(new Blocks(2, 10), Sequences.MARK_FIRST, new Tasks());

		public BatchAcross() {
			this.sequence.nextId();
		}

		@Actor
		public void one(JJJJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void batch(JJJJ_Result result) {
			long[] ids = this.sequence.nextIds(2);
			result.r2 = ids[0];
			result.r3 = ids[1];
		}

		@Arbiter
		public void next(JJJJ_Result result) {
			result.r4 = this.sequence.nextId();
		}

	}

}
