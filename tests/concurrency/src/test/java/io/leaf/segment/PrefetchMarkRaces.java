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
 * Two callers at the prefetch mark: only the one that draws it claims it, although the
 * other may still see the old limit. If no caller claimed the mark, the segment would run
 * out with no fetch under way; if both did, two fetches would be requested.
 */
final class PrefetchMarkRaces {

	private PrefetchMarkRaces() {
	}

	/**
	 * Draws a number as a caller does.
	 * @return 1 if this caller has to start the fetch, else 0
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
	 * Both draw one number, the first of which is the mark.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no thread claims the mark, or both do")
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
	 * Both draw one number, the second of which is the mark.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no thread claims the mark, or both do")
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
	 * Both draw two numbers; the mark is the last of the range drawn first.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no thread claims the mark, or both do")
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
	 * Both draw a run, as in striped order; the mark lies in the run drawn first.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 0" }, expect = Expect.ACCEPTABLE, desc = "one claims the mark")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no thread claims the mark, or both do")
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
	 * One caller draws a number and another three, through the sequence: whichever of
	 * them draws the mark, the second number, exactly one more segment is fetched.
	 */
	@JCStressTest
	@Outcome(id = { "1, 2, 2", "4, 1, 2" }, expect = Expect.ACCEPTABLE, desc = "one fetch")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a number twice or left out, no fetch or more than one")
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
