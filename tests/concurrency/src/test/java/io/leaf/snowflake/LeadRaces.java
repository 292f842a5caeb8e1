// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

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
 * Two threads that draw from one lane just below the lead. They never get the same ID,
 * and none beyond the lead: a restart could find the clock before it. An ID is shown as
 * the distance of its tick from {@link Lanes#NOW}, or -1 if there was none.
 */
final class LeadRaces {

	private LeadRaces() {
	}

	/**
	 * One ID is left within the lead, five ticks: one thread gets it, the other nothing.
	 * Once the clock has advanced, IDs are available again.
	 */
	@JCStressTest
	@Outcome(id = { "5, -1, -1, 10", "-1, 5, -1, 10" }, expect = Expect.ACCEPTABLE, desc = "one gets it")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice or left out, or one beyond the lead")
	@State
	public static class LastTick {

		private final SnowflakeLane lane = Lanes.lane(5, 4, 1000);

		@Actor
		public void one(JJJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void other(JJJJ_Result result) {
			result.r2 = Lanes.draw(this.lane, 0);
		}

		@Arbiter
		public void next(JJJJ_Result result) {
			result.r3 = Lanes.draw(this.lane, 0);
			result.r4 = Lanes.draw(this.lane, 10);
		}

	}

	/**
	 * One ID is left within the lead as one thread has read the clock; the other has read
	 * it a tick later.
	 */
	@JCStressTest
	@Outcome(id = { "5, 6", "-1, 5" }, expect = Expect.ACCEPTABLE, desc = "within what each has read")
	@Outcome(id = "-1, 6", expect = Expect.ACCEPTABLE, desc = "the first one skipped 5, which costs an ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice, or beyond the lead, or none although there was one")
	@State
	public static class LeadForOne {

		private final SnowflakeLane lane = Lanes.lane(5, 4, 1000);

		@Actor
		public void early(JJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void late(JJ_Result result) {
			result.r2 = Lanes.draw(this.lane, 1);
		}

	}

	/**
	 * The lane is ahead of the clock as one thread has read it. The other has read it
	 * later, and its tick is fresh to it; it lies beyond the lead of the early thread,
	 * which must not continue in it.
	 */
	@JCStressTest
	@Outcome(id = { "1, 10, 11", "-1, 10, 11" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(id = "-1, 10, 12", expect = Expect.ACCEPTABLE, desc = "the early one skipped 11, which costs an ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice, or beyond the lead")
	@State
	public static class FreshTickBeyondLead {

		private final SnowflakeLane lane = Lanes.lane(5, 0, 1000);

		@Actor
		public void early(JJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void late(JJJ_Result result) {
			result.r2 = Lanes.draw(this.lane, 10);
		}

		@Arbiter
		public void next(JJJ_Result result) {
			result.r3 = Lanes.draw(this.lane, 10);
		}

	}

	/**
	 * A batch of three against a single ID, with two left within the lead: the batch gets
	 * the available IDs and none beyond the lead.
	 */
	@JCStressTest
	@Outcome(id = { "4, 1, 5, 5", "-1, 2, 4, 5" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice or left out, or one beyond the lead")
	@State
	public static class Batch {

		private final SnowflakeLane lane = Lanes.lane(5, 3, 1000);

		@Actor
		public void one(JJJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void batch(JJJJ_Result result) {
			Lanes.drawThree(this.lane, result);
		}

	}

}
