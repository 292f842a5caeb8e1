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
 * Races between sealing a lane and drawing from it. The worker ID is released with the
 * tick that {@link SnowflakeLane#seal} returns, and the next holder begins above this
 * tick. So no ID may be issued above this tick, before or after the lane is sealed. The
 * results show IDs, and the tick that {@code seal} returns, as the distance of the tick
 * from {@link Lanes#NOW}, or -1 if there was no ID.
 */
final class SealRaces {

	private SealRaces() {
	}

	/**
	 * Tries to draw from a sealed lane: in a batch and several times singly, at the same
	 * time and later.
	 * @return 1 if the lane issues no ID and still returns the given tick as its last
	 * one, otherwise 0
	 */
	private static int sealedAt(SnowflakeLane lane, long tick) {
		long drawn = lane.tryNext(Lanes.NOW, new long[2], 0);
		for (int i = 0; i < 4; i++) {
			drawn += (Lanes.draw(lane, 30 * i) != -1) ? 1 : 0;
		}
		long now = Lanes.NOW + tick;
		return (drawn == 0 && lane.seal() == now && lane.lastUsed() == now) ? 1 : 0;
	}

	/**
	 * A thread draws twice, ahead of the clock, while the lane is being sealed.
	 */
	@JCStressTest
	@Outcome(id = { "-1, -1, 0, 1", "1, -1, 1, 1", "1, 2, 2, 1" }, expect = Expect.ACCEPTABLE,
			desc = "issued up to the returned tick")
	@Outcome(expect = Expect.FORBIDDEN, desc = "issued above the returned tick, or after sealing")
	@State
	public static class AheadOfClock {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 0, 1000);

		@Actor
		public void caller(JJJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
			result.r2 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void seal(JJJJ_Result result) {
			result.r3 = this.lane.seal() - Lanes.NOW;
		}

		@Arbiter
		public void late(JJJJ_Result result) {
			result.r4 = sealedAt(this.lane, result.r3);
		}

	}

	/**
	 * A thread draws the first ID of a fresh tick while the lane is being sealed.
	 */
	@JCStressTest
	@Outcome(id = { "-1, 0, 1", "10, 10, 1" }, expect = Expect.ACCEPTABLE, desc = "issued up to the returned tick")
	@Outcome(expect = Expect.FORBIDDEN, desc = "issued above the returned tick, or after sealing")
	@State
	public static class FreshTick {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 0, 1000);

		@Actor
		public void caller(JJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 10);
		}

		@Actor
		public void seal(JJJ_Result result) {
			result.r2 = this.lane.seal() - Lanes.NOW;
		}

		@Arbiter
		public void late(JJJ_Result result) {
			result.r3 = sealedAt(this.lane, result.r2);
		}

	}

	/**
	 * A thread draws a batch of three IDs while the lane is being sealed. The first
	 * result is the last ID of the batch.
	 */
	@JCStressTest
	@Outcome(id = { "-1, 0, 1", "3, 3, 1" }, expect = Expect.ACCEPTABLE, desc = "issued up to the returned tick")
	@Outcome(expect = Expect.FORBIDDEN, desc = "issued above the returned tick, or after sealing")
	@State
	public static class Batch {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 0, 1000);

		@Actor
		public void caller(JJJ_Result result) {
			long[] ids = new long[3];
			int count = this.lane.tryNext(Lanes.NOW, ids, 0);
			result.r1 = (count > 0) ? Lanes.after(ids[count - 1]) : -1;
		}

		@Actor
		public void seal(JJJ_Result result) {
			result.r2 = this.lane.seal() - Lanes.NOW;
		}

		@Arbiter
		public void late(JJJ_Result result) {
			result.r3 = sealedAt(this.lane, result.r2);
		}

	}

	/**
	 * Two threads draw while one tick is left up to the horizon. Then the lane is sealed.
	 * The tick of the attempt that failed must not be treated as used, because it may
	 * belong to other processes.
	 */
	@JCStressTest
	@Outcome(id = { "-1, 5, 5, 1", "5, -1, 5, 1" }, expect = Expect.ACCEPTABLE, desc = "sealed at the tick of the ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "an ID is issued twice, or the lane is sealed at another tick")
	@State
	public static class AfterHorizon {

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
		public void seal(JJJJ_Result result) {
			result.r3 = this.lane.seal() - Lanes.NOW;
			result.r4 = sealedAt(this.lane, result.r3);
		}

	}

	/**
	 * A thread draws twice while the lane is being sealed and one tick is left up to the
	 * horizon.
	 */
	@JCStressTest
	@Outcome(id = { "-1, -1, 4, 1", "5, -1, 5, 1" }, expect = Expect.ACCEPTABLE,
			desc = "issued up to the returned tick")
	@Outcome(expect = Expect.FORBIDDEN, desc = "issued above the tick or after sealing, or a tick above the horizon")
	@State
	public static class AtHorizon {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 4, 5);

		@Actor
		public void caller(JJJJ_Result result) {
			result.r1 = Lanes.draw(this.lane, 0);
			result.r2 = Lanes.draw(this.lane, 0);
		}

		@Actor
		public void seal(JJJJ_Result result) {
			result.r3 = this.lane.seal() - Lanes.NOW;
		}

		@Arbiter
		public void late(JJJJ_Result result) {
			result.r4 = sealedAt(this.lane, result.r3);
		}

	}

	/**
	 * Two threads seal a lane that has issued an ID: the keeper, which releases the
	 * worker ID, and the shutdown of the application. Either of them may write the tick
	 * that it got to the store.
	 */
	@JCStressTest
	@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both get the tick of the ID")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a thread gets another tick")
	@State
	public static class TwoSeals {

		private final SnowflakeLane lane = Lanes.lane(Lanes.LEAD, 0, 1000);

		public TwoSeals() {
			Lanes.draw(this.lane, 0);
		}

		@Actor
		public void one(JJ_Result result) {
			result.r1 = this.lane.seal() - Lanes.NOW;
		}

		@Actor
		public void other(JJ_Result result) {
			result.r2 = this.lane.seal() - Lanes.NOW;
		}

	}

}
