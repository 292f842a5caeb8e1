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
 * Races between two threads that draw from one lane. They never get the same ID, no ID is
 * left out, and no ID lies beyond the lead, because the clock could still be behind that
 * ID after a restart. The results show each ID as the distance of its tick from
 * {@link Lanes#NOW}, or -1 if there was none.
 */
final class DrawRaces {

	private DrawRaces() {
	}

	/**
	 * Both threads read the clock in a tick from which no ID has been drawn yet.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1, 2", "1, 0, 2" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice or left out")
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
	 * The lane is ahead of the clock that the early thread has read. The late thread has
	 * read the clock later, in a tick from which no ID has been drawn yet.
	 */
	@JCStressTest
	@Outcome(id = { "1, 10, 11", "11, 10, 12" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice or left out")
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
	 * One ID is left in the tick, so the other ID comes from the next tick. Here, a tick
	 * has four IDs, and the worker ID lies between tick and sequence number. Each result
	 * consists of two digits: the distance of the tick, and the sequence number.
	 */
	@JCStressTest
	@Outcome(id = { "13, 20", "20, 13" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice or left out")
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
	 * One thread draws a batch of three IDs while the other draws a single ID. The IDs of
	 * the batch are consecutive. The results of the batch are the number of its IDs, the
	 * first ID and the last ID.
	 */
	@JCStressTest
	@Outcome(id = { "1, 3, 2, 4", "4, 3, 1, 3" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice or left out")
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
	 * Both threads draw repeatedly while the clock advances, with a lead of two ticks.
	 * The lane is sometimes behind the clock, sometimes ahead of it, and sometimes at the
	 * end of the lead. The results count the IDs that both threads got, the IDs that are
	 * not larger than the previous ID of the same thread, and the IDs beyond the lead.
	 */
	@JCStressTest
	@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "each ID is issued once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice, out of order or beyond the lead")
	@State
	public static class MovingClock {

		private static final int DRAWS = 12;

		private static final int LEAD = 2;

		private final SnowflakeLane lane = Lanes.lane(LEAD, 0, 1000);

		private final long[] drawnByOne = new long[DRAWS];

		private final long[] drawnByOther = new long[DRAWS];

		@Actor
		public void one() {
			draw(this.drawnByOne);
		}

		@Actor
		public void other() {
			draw(this.drawnByOther);
		}

		private void draw(long[] drawn) {
			for (int i = 0; i < DRAWS; i++) {
				drawn[i] = Lanes.draw(this.lane, i / 3 * 2);
			}
		}

		@Arbiter
		public void check(JJJ_Result result) {
			for (long id : this.drawnByOne) {
				for (long other : this.drawnByOther) {
					result.r1 += (id != -1 && id == other) ? 1 : 0;
				}
			}
			check(this.drawnByOne, result);
			check(this.drawnByOther, result);
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
	 * One ID is left within the lead of five ticks. One thread gets it, and the other
	 * gets none. Once the clock has advanced, IDs are available again.
	 */
	@JCStressTest
	@Outcome(id = { "5, -1, -1, 10", "-1, 5, -1, 10" }, expect = Expect.ACCEPTABLE, desc = "one thread gets the ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice, left out or beyond the lead")
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
	 * One ID is left within the lead for the early thread. The late thread has read the
	 * clock one tick later, so two IDs are left for this thread.
	 */
	@JCStressTest
	@Outcome(id = { "5, 6", "-1, 5" }, expect = Expect.ACCEPTABLE, desc = "each thread stays within its lead")
	@Outcome(id = "-1, 6", expect = Expect.ACCEPTABLE, desc = "the early thread skipped 5, which is lost")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice or beyond the lead, or an available ID is missed")
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
	 * The lane is ahead of the clock that the early thread has read. The late thread has
	 * read the clock later, in a tick from which no ID has been drawn yet. This tick lies
	 * beyond the lead of the early thread, which must not draw from it.
	 */
	@JCStressTest
	@Outcome(id = { "1, 10, 11", "-1, 10, 11" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(id = "-1, 10, 12", expect = Expect.ACCEPTABLE, desc = "the early thread skipped 11, which is lost")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice or beyond the lead")
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
	 * One thread draws a batch of three IDs while the other draws a single ID, and two
	 * IDs are left within the lead. The batch gets the available IDs, and none beyond the
	 * lead.
	 */
	@JCStressTest
	@Outcome(id = { "4, 1, 5, 5", "-1, 2, 4, 5" }, expect = Expect.ACCEPTABLE, desc = "one after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice, left out or beyond the lead")
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
