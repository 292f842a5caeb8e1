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
 * A new horizon against a thread that draws. Timestamps above the horizon may belong to
 * another process, whose IDs would be repeated; those below it are available. An ID is
 * shown as the distance of its tick from {@link Lanes#NOW}, or -1 if there was none.
 */
final class HorizonRaces {

	private HorizonRaces() {
	}

	/**
	 * All ticks up to the horizon are used, and the horizon is advanced by one tick while
	 * a thread draws twice: the thread gets nothing or that tick, and nothing beyond.
	 * After a further tick, no caller has to wait.
	 */
	@JCStressTest
	@Outcome(id = { "-1, -1, 1", "-1, 6, 1", "6, -1, 1" }, expect = Expect.ACCEPTABLE, desc = "below the horizon")
	@Outcome(expect = Expect.FORBIDDEN, desc = "above the horizon, or nothing below it")
	@State
	public static class Moved {

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
	 * A thread draws after it has learned that the horizon has advanced: it must get an
	 * ID. The first result is whether it had learned that.
	 */
	@JCStressTest
	@Outcome(id = "0, -1", expect = Expect.ACCEPTABLE, desc = "not notified, and no ID")
	@Outcome(id = "0, 6", expect = Expect.ACCEPTABLE, desc = "not notified, but an ID")
	@Outcome(id = "1, 6", expect = Expect.ACCEPTABLE, desc = "notified, and an ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "notified, but no ID")
	@State
	public static class Told {

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
	 * A batch of five is drawn while the horizon advances by three ticks: it gets
	 * nothing, or those three. The results are the number of its IDs, the first and the
	 * last.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 0", "3, 6, 8" }, expect = Expect.ACCEPTABLE, desc = "below the horizon")
	@Outcome(expect = Expect.FORBIDDEN, desc = "above the horizon")
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
	 * Two threads draw the last tick below the horizon: one gets it, the other nothing,
	 * and later callers get nothing until the horizon advances.
	 */
	@JCStressTest
	@Outcome(id = { "5, -1, -1, 1", "-1, 5, -1, 1" }, expect = Expect.ACCEPTABLE, desc = "one gets it")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID twice or left out, or one above the horizon")
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
