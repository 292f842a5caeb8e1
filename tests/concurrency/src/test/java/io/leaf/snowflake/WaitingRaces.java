// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.Lanes.LostWakeUpException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Races between a caller that begins to wait and the keeper, which ends the wait. The
 * caller must either see the change that the keeper makes or be unparked. Otherwise, it
 * sleeps although IDs are available. The results show an ID as the distance of its tick
 * from {@link Lanes#NOW}.
 */
final class WaitingRaces {

	/**
	 * The result if the caller got an {@link IdGenerationException}.
	 */
	private static final long FAILED = -2;

	/**
	 * The result if the caller was not woken.
	 */
	private static final long NOT_WOKEN = -3;

	private WaitingRaces() {
	}

	private static long next(SnowflakeLanes lanes) {
		try {
			return Lanes.after(lanes.next());
		}
		catch (IdGenerationException ex) {
			return FAILED;
		}
		catch (LostWakeUpException ex) {
			return NOT_WOKEN;
		}
	}

	/**
	 * The caller waits because the lease has run out, while the lease is being renewed.
	 */
	@JCStressTest
	@Outcome(id = "6", expect = Expect.ACCEPTABLE, desc = "sees the change or is woken")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken, or another ID")
	@State
	public static class Renewal {

		private final SnowflakeLanes lanes = Lanes.empty();

		private final SnowflakeLane lane = this.lanes.add(0, Lanes.NOW + 5, Lanes.NOW + 5);

		@Actor
		public void caller(J_Result result) {
			result.r1 = next(this.lanes);
		}

		@Actor
		public void keeper() {
			this.lane.extend(Lanes.NOW + 20);
			this.lanes.wakeUp();
		}

	}

	/**
	 * The caller waits because there is no lane yet, while a lane is being added.
	 */
	@JCStressTest
	@Outcome(id = "6", expect = Expect.ACCEPTABLE, desc = "sees the change or is woken")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken, or another ID")
	@State
	public static class FirstLane {

		private final SnowflakeLanes lanes = Lanes.empty();

		@Actor
		public void caller(J_Result result) {
			result.r1 = next(this.lanes);
		}

		@Actor
		public void keeper() {
			this.lanes.add(0, Lanes.NOW + 5, Lanes.NOW + 20);
		}

	}

	/**
	 * The caller waits because the lease has run out, while a lane with another worker ID
	 * replaces the lane.
	 */
	@JCStressTest
	@Outcome(id = "11", expect = Expect.ACCEPTABLE, desc = "sees the change or is woken")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken, or another ID")
	@State
	public static class Replacement {

		private final SnowflakeLanes lanes = Lanes.empty();

		private final SnowflakeLane lane = this.lanes.add(0, Lanes.NOW + 5, Lanes.NOW + 5);

		@Actor
		public void caller(J_Result result) {
			result.r1 = next(this.lanes);
		}

		@Actor
		public void keeper() {
			this.lanes.replace(this.lane, 1, Lanes.NOW + 10, Lanes.NOW + 20);
		}

	}

	/**
	 * The caller waits because the lease has run out, while the generator is being
	 * closed.
	 */
	@JCStressTest
	@Outcome(id = "-2", expect = Expect.ACCEPTABLE, desc = "gets an exception")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken, or an ID")
	@State
	public static class Stop {

		private final SnowflakeLanes lanes = Lanes.empty();

		public Stop() {
			this.lanes.add(0, Lanes.NOW + 5, Lanes.NOW + 5);
		}

		@Actor
		public void caller(J_Result result) {
			result.r1 = next(this.lanes);
		}

		@Actor
		public void keeper() {
			this.lanes.stop();
		}

	}

}
