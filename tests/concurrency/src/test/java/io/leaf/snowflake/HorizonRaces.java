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
 * Races between the keeper, which advances the horizon, and a thread that draws.
 * Timestamps above the horizon may belong to another process, whose IDs would then be
 * issued again. Timestamps up to the horizon are available. The results show each ID as
 * the distance of its tick from {@link Lanes#NOW}, or -1 if there was none.
 */
final class HorizonRaces {

	private HorizonRaces() {
	}

	/**
	 * All ticks up to the horizon are used, and the horizon advances by one tick while a
	 * thread draws twice. The thread gets no ID or the ID of that tick, and nothing
	 * beyond. After the horizon has advanced further, a caller gets an ID without a wait.
	 */
	@JCStressTest
	@Outcome(id = { "-1, -1, 1", "-1, 6, 1", "6, -1, 1" }, expect = Expect.ACCEPTABLE, desc = "not above the horizon")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID above the horizon, or no ID although one is available")
	@State
	public static class Advance {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 5, 5);

		@Actor
		public void caller(JJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
			result.r2 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void keeper() {
			this.lane.extend(Lanes.NOW + 6);
		}

		@Arbiter
		public void next(JJJ_Result result) {
			this.lane.extend(Lanes.NOW + 20);
			long next = Lanes.draw(this.lane, 0);
			result.r3 = (next > Math.max(5, Math.max(result.r1, result.r2)) && next <= 20) ? 1 : 0;
		}

	}

	/**
	 * If a thread draws after it has seen that the horizon has advanced, it must get an
	 * ID. The first result is 1 if the thread had seen this.
	 */
	@JCStressTest
	@Outcome(id = "0, -1", expect = Expect.ACCEPTABLE, desc = "not notified, and no ID")
	@Outcome(id = "0, 6", expect = Expect.ACCEPTABLE, desc = "not notified, but an ID")
	@Outcome(id = "1, 6", expect = Expect.ACCEPTABLE, desc = "notified, and an ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "notified, but no ID")
	@State
	public static class Notified {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 5, 5);

		private volatile boolean extended;

		@Actor
		public void caller(JJ_Result result) {
			result.r1 = this.extended ? 1 : 0;
			result.r2 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void keeper() {
			this.lane.extend(Lanes.NOW + 10);
			this.extended = true;
		}

	}

	/**
	 * A thread draws a batch of five IDs while the horizon advances by three ticks. The
	 * batch gets either no ID or the IDs of these three ticks. The results are the number
	 * of its IDs, the first ID and the last ID.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 0", "3, 6, 8" }, expect = Expect.ACCEPTABLE, desc = "not above the horizon")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID above the horizon")
	@State
	public static class Batch {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 5, 5);

		@Actor
		public void caller(JJJ_Result result) {
			long[] ids = new long[5];
			int count = this.lane.tryNext(Lanes.NOW, ids, 0);
			if (count > 0) {
				result.r1 = count;
				result.r2 = Lanes.after(ids[0]);
				result.r3 = Lanes.after(ids[count - 1]);
			}
		}

		@Actor
		public void keeper() {
			this.lane.extend(Lanes.NOW + 8);
		}

	}

	/**
	 * Two threads draw while one tick is left up to the horizon. One thread gets the ID
	 * of this tick, and the other gets none. Later callers get none until the horizon
	 * advances.
	 */
	@JCStressTest
	@Outcome(id = { "5, -1, -1, 1", "-1, 5, -1, 1" }, expect = Expect.ACCEPTABLE, desc = "one thread gets the ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice, left out or above the horizon")
	@State
	public static class LastTick {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 4, 5);

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
			this.lane.extend(Lanes.NOW + 20);
			long next = Lanes.draw(this.lane, 0);
			result.r4 = (next > 5 && next <= 20) ? 1 : 0;
		}

	}

}
