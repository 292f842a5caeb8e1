// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * Races between two callers at the prefetch mark. Only the caller that draws the number
 * at the mark claims the mark, although the other caller may still see the old limit. If
 * no caller claimed the mark, the segment would be used up while no fetch is in flight.
 * If both callers claimed the mark, two fetches would be requested.
 */
final class PrefetchMarkRaces {

	private PrefetchMarkRaces() {
	}

	/**
	 * Draws a number as a caller does.
	 * @return 1 if this caller has to start the fetch, otherwise 0
	 */
	private static int draw(Segment segment) {
		long id = segment.draw();
		return (id >= segment.limit() && segment.claimMark(id, id + 1)) ? 1 : 0;
	}

	private static int draw(Segment segment, int count) {
		long first = segment.draw(count);
		return segment.claimMark(first, first + count) ? 1 : 0;
	}

	private static int drawRun(Segment segment) {
		long first = segment.drawRun();
		return segment.claimMark(first, Stripes.end(first)) ? 1 : 0;
	}

	/**
	 * Both callers draw one number. The first number is at the mark.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one caller claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no caller claims the mark, or both do")
	@State
	public static class AtTheMark {

		private final Segment segment = new Segment(1, 11, 0, 0);

		@Actor
		public void one(II_Result result) {
			result.r1 = draw(this.segment);
		}

		@Actor
		public void other(II_Result result) {
			result.r2 = draw(this.segment);
		}

	}

	/**
	 * Both callers draw one number. The second number is at the mark.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one caller claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no caller claims the mark, or both do")
	@State
	public static class BeforeTheMark {

		private final Segment segment = new Segment(1, 11, 0.1, 0);

		@Actor
		public void one(II_Result result) {
			result.r1 = draw(this.segment);
		}

		@Actor
		public void other(II_Result result) {
			result.r2 = draw(this.segment);
		}

	}

	/**
	 * Both callers draw two numbers. The last number of the range that is drawn first is
	 * at the mark.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one caller claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no caller claims the mark, or both do")
	@State
	public static class Batches {

		private final Segment segment = new Segment(1, 11, 0.1, 0);

		@Actor
		public void one(II_Result result) {
			result.r1 = draw(this.segment, 2);
		}

		@Actor
		public void other(II_Result result) {
			result.r2 = draw(this.segment, 2);
		}

	}

	/**
	 * Both callers draw a run, as with striped ordering. The mark lies in the run that is
	 * drawn first.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one caller claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no caller claims the mark, or both do")
	@State
	public static class Runs {

		private final Segment segment = new Segment(1, 201, 0.1, 0);

		@Actor
		public void one(II_Result result) {
			result.r1 = drawRun(this.segment);
		}

		@Actor
		public void other(II_Result result) {
			result.r2 = drawRun(this.segment);
		}

	}

	/**
	 * One caller draws one number from the sequence, and the other draws three. The
	 * second number is at the mark. Whichever caller draws this number, exactly one more
	 * segment is fetched.
	 */
	@JCStressTest
	@Outcome(id = { "1, 2, 2", "4, 1, 2" }, expect = Expect.ACCEPTABLE, desc = "one fetch")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number is issued twice or left out, or a wrong number of fetches")
	@State
	public static class FetchRequested {

		private final Tasks tasks = new Tasks();

		private final Blocks store = new Blocks(10);

		private final KeySequence sequence = Sequences.preloaded(this.store, Sequences.settings(0.1, Ordering.STRICT),
				this.tasks);

		public FetchRequested() {
			this.tasks.hold();
		}

		@Actor
		public void one(JJJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void batch(JJJ_Result result) {
			result.r2 = this.sequence.nextIds(3)[0];
		}

		@Arbiter
		public void fetches(JJJ_Result result) {
			this.tasks.runAll();
			result.r3 = this.store.allocations();
		}

	}

}
