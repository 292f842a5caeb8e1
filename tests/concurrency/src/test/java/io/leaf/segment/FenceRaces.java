// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.segment.SegmentStore.Unissued;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Races between a late caller and giving numbers back. Numbers that were given back are
 * issued again, by the next process that fetches. So no number from the fence on may be
 * issued, before or after the segment is fenced. No number below the fence may be left
 * out, because this number would be lost.
 */
final class FenceRaces {

	/**
	 * The result if a caller got no number.
	 */
	private static final long NONE = 0;

	private FenceRaces() {
	}

	/**
	 * A caller draws a number while the segment is being fenced.
	 */
	@JCStressTest
	@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "a number is drawn, and the others are given back")
	@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "too late: all numbers are given back")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is both issued and given back, or neither")
	@State
	public static class LateCaller {

		private final Segment segment = new Segment(1, 4, 0, 0);

		@Actor
		public void caller(JJ_Result result) {
			long id = this.segment.draw();
			result.r1 = (id < this.segment.to()) ? id : NONE;
		}

		@Actor
		public void fence(JJ_Result result) {
			result.r2 = this.segment.fence();
		}

	}

	/**
	 * While the segment is being fenced, a caller draws more numbers than are left. The
	 * first result is how many numbers it got.
	 */
	@JCStressTest
	@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "all numbers are drawn, and none is given back")
	@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "too late: all numbers are given back")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is both issued and given back, or neither")
	@State
	public static class LateBatch {

		private final Segment segment = new Segment(1, 3, 0, 0);

		@Actor
		public void caller(JJ_Result result) {
			long first = this.segment.draw(5);
			result.r1 = Math.max(0, Math.min(first + 5, this.segment.to()) - first);
		}

		@Actor
		public void fence(JJ_Result result) {
			result.r2 = this.segment.fence();
		}

	}

	/**
	 * A segment is fenced twice, because its row is removed while the application shuts
	 * down. One call gets the numbers, the other gets none, and no number is issued
	 * afterwards.
	 */
	@JCStressTest
	@Outcome(id = { "1, 4, 0", "4, 1, 0" }, expect = Expect.ACCEPTABLE, desc = "the numbers are given back once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "numbers are given back twice, never, or issued afterwards")
	@State
	public static class TwoFences {

		private final Segment segment = new Segment(1, 4, 0, 0);

		@Actor
		public void one(JJJ_Result result) {
			result.r1 = this.segment.fence();
		}

		@Actor
		public void other(JJJ_Result result) {
			result.r2 = this.segment.fence();
		}

		@Arbiter
		public void late(JJJ_Result result) {
			long id = this.segment.draw();
			result.r3 = (id < this.segment.to()) ? id : NONE;
		}

	}

	/**
	 * A caller draws twice, from a segment and its successor, while the sequence is being
	 * closed and both segments are being fenced. The third result is the first of the
	 * numbers to give back. The fourth result is the number that a caller gets
	 * afterwards.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 2, 0", "2, 0, 3, 0", "2, 3, 4, 0" }, expect = Expect.ACCEPTABLE,
			desc = "issued below the fence, and given back from the fence on")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is both issued and given back, or neither")
	@State
	public static class Close {

		private final KeySequence sequence = Sequences.preloaded(new Blocks(2, 3), Sequences.MARK_FIRST, new Tasks());

		public Close() {
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
			result.r3 = (range != null) ? range.from() : NONE;
		}

		@Arbiter
		public void late(JJJJ_Result result) {
			result.r4 = Sequences.idOrNone(this.sequence);
		}

	}

}
