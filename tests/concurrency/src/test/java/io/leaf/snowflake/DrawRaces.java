// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Instant;

import io.leaf.snowflake.SnowflakeLayout.Unit;
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
 * Two threads that draw from one lane. They never get the same ID, no ID is left out, and
 * none lies beyond the lead: a restart could find the clock before it. An ID is shown as
 * the distance of its tick from {@link Lanes#NOW}, or -1 if there was none.
 */
final class DrawRaces {

	private DrawRaces() {
	}

	/**
	 * Both threads read the clock in a tick of which nothing has been drawn.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1, 2", "1, 0, 2" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice, or left out")
	@State
	public static class FreshTick {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, -1, 1000);

		@Actor
		public void one(JJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void other(JJJ_Result result) {
			result.r2 = Lanes.draw(this.lane, 0);
		}

		@Arbiter
		public void next(JJJ_Result result) {
			result.r3 = Lanes.draw(this.lane, 0);
		}

	}

	/**
	 * The lane is ahead of the clock as one thread has read it; for the other thread,
	 * which has read it later, the tick of the lane is fresh.
	 */
	@JCStressTest
	@Outcome(id = { "1, 10, 11", "11, 10, 12" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice, or left out")
	@State
	public static class FreshTickForOne {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 0, 1000);

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
	 * One ID is left in the tick: the other ID comes from the next one. A tick has four
	 * IDs here, and the worker ID lies between tick and sequence; an ID is shown as tick
	 * and sequence.
	 */
	@JCStressTest
	@Outcome(id = { "13, 20", "20, 13" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice, or left out")
	@State
	public static class EndOfTick {

		private static final SnowflakeLayout LAYOUT = new SnowflakeLayout(41, 2, 2, Unit.MILLISECONDS, Instant.EPOCH);

		private final SnowflakeLane lane = new SnowflakeLane(Lanes.settings(LAYOUT, Lanes.LEAD), 3, 0);

		public EndOfTick() {
			this.lane.open(Lanes.NOW, 0, Lanes.NOW + 1000);
			this.lane.tryNext(Lanes.NOW, new long[3], 0);
		}

		@Actor
		public void one(JJ_Result result) {
			result.r1 = draw();
		}

		@Actor
		public void other(JJ_Result result) {
			result.r2 = draw();
		}

		private long draw() {
			long id = this.lane.tryNext(Lanes.NOW);
			return ((id >>> 4) - Lanes.NOW) * 10 + (id & 3);
		}

	}

	/**
	 * A batch of three against a single ID: the IDs of the batch are consecutive. The
	 * results of the batch are the number of its IDs, the first and the last.
	 */
	@JCStressTest
	@Outcome(id = { "1, 3, 2, 4", "4, 3, 1, 3" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice, or left out")
	@State
	public static class Batch {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 0, 1000);

		@Actor
		public void one(JJJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void batch(JJJJ_Result result) {
			Lanes.drawThree(this.lane, result);
		}

	}

	/**
	 * Both threads draw repeatedly while the clock advances, with a lead of two ticks:
	 * the lane is behind the clock, ahead of it, or at the lead. The results count IDs
	 * that both got, IDs that are not above the previous one of the thread, and IDs
	 * beyond the lead.
	 */
	@JCStressTest
	@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "each ID once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice, out of order, or beyond the lead")
	@State
	public static class MovingClock {

		private static final int DRAWS = 12;

		private static final int LEAD = 2;

		private final SnowflakeLane lane = Lanes.lane(LEAD, 0, 1000);

		private final long[] ofOne = new long[DRAWS];

		private final long[] ofOther = new long[DRAWS];

		@Actor
		public void one() {
			draw(this.ofOne);
		}

		@Actor
		public void other() {
			draw(this.ofOther);
		}

		private void draw(long[] drawn) {
			for (int i = 0; i < DRAWS; i++) {
				drawn[i] = Lanes.draw(this.lane, i / 3 * 2);
			}
		}

		@Arbiter
		public void check(JJJ_Result result) {
			for (long id : this.ofOne) {
				for (long other : this.ofOther) {
					result.r1 += (id != -1 && id == other) ? 1 : 0;
				}
			}
			check(this.ofOne, result);
			check(this.ofOther, result);
		}

		private static void check(long[] drawn, JJJ_Result result) {
			long last = -1;
			for (int i = 0; i < DRAWS; i++) {
				if (drawn[i] != -1) {
					result.r2 += (drawn[i] <= last) ? 1 : 0;
					result.r3 += (drawn[i] > i / 3 * 2 + LEAD) ? 1 : 0;
					last = drawn[i];
				}
			}
		}

	}

	/**
	 * One ID is left within the lead, five ticks: one thread gets it, the other nothing.
	 * Once the clock has advanced, IDs are available again.
	 */
	@JCStressTest
	@Outcome(id = { "5, -1, -1, 10", "-1, 5, -1, 10" }, expect = Expect.ACCEPTABLE, desc = "one gets it")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice or left out, or one beyond the lead")
	@State
	public static class LastTickBelowLead {

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
	public static class LastTickBelowLeadForOne {

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
	public static class BatchBelowLead {

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
