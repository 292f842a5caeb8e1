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
 * Races at the switch from one segment to the next. Each number of both segments is
 * issued exactly once: the cursor gives each number to only one caller, and a caller that
 * finds no number left moves on to the successor, of which there is only one.
 */
final class SwitchRaces {

	private SwitchRaces() {
	}

	/**
	 * Two callers draw while one number is left and the successor is in memory. One
	 * caller gets this number, and the other gets the first number of the successor. If
	 * both got the same number, it would be issued twice. If one of them got 4, the
	 * number 3 would be left out.
	 */
	@JCStressTest
	@Outcome(id = { "2, 3, 4", "3, 2, 4" }, expect = Expect.ACCEPTABLE, desc = "each number is issued once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is issued twice or left out")
	@State
	public static class SuccessorInMemory {

		private final KeySequence sequence = Sequences.preloaded(new Blocks(2, 10), Sequences.MARK_FIRST, new Tasks());

		public SuccessorInMemory() {
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
	 * Two callers draw while one number is left, which is at the mark, and there is no
	 * successor. One caller starts the fetch of the successor. The other caller waits for
	 * this fetch or requests it itself. Exactly one fetch must follow for this segment,
	 * and one more for the successor, because the number at its mark is also drawn. A
	 * further fetch would replace a segment that was fetched before, and the numbers of
	 * this segment would be lost.
	 */
	@JCStressTest
	@Outcome(id = { "1, 2, 3, 3", "2, 1, 3, 3" }, expect = Expect.ACCEPTABLE, desc = "one fetch per segment")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is issued twice or left out, or a wrong number of fetches")
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
	 * One caller draws one number and the other draws two, while one number is left. If
	 * the batch takes this number, it continues in the successor, from which the other
	 * caller draws in the meantime.
	 */
	@JCStressTest
	@Outcome(id = { "2, 3, 4, 5", "3, 2, 4, 5", "4, 2, 3, 5" }, expect = Expect.ACCEPTABLE,
			desc = "each number is issued once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is issued twice or left out")
	@State
	public static class BatchAcrossSegments {

		private final KeySequence sequence = Sequences.preloaded(new Blocks(2, 10), Sequences.MARK_FIRST, new Tasks());

		public BatchAcrossSegments() {
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
