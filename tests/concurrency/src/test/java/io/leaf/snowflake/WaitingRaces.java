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
 * A caller that begins to wait against the keeper that ends its waiting. The caller must
 * see the change of the keeper, or be unparked; otherwise it sleeps although IDs are
 * available. An ID is shown as the distance of its tick from {@link Lanes#NOW}.
 */
final class WaitingRaces {

	/**
	 * The result if the caller got an exception that there is none.
	 */
	private static final long TOLD = -2;

	/**
	 * The result if the caller was not woken.
	 */
	private static final long LOST = -3;

	private WaitingRaces() {
	}

	private static long next(SnowflakeLanes lanes) {
		try {
			return Lanes.after(lanes.next());
		}
		catch (IdGenerationException ex) {
			return TOLD;
		}
		catch (LostWakeUpException ex) {
			return LOST;
		}
	}

	/**
	 * The lease has run out and is renewed.
	 */
	@JCStressTest
	@Outcome(id = "6", expect = Expect.ACCEPTABLE, desc = "seen, or woken")
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
	 * There is no lane yet, and one is added.
	 */
	@JCStressTest
	@Outcome(id = "6", expect = Expect.ACCEPTABLE, desc = "seen, or woken")
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
	 * The lease has run out, and a lane with another worker ID replaces it.
	 */
	@JCStressTest
	@Outcome(id = "11", expect = Expect.ACCEPTABLE, desc = "seen, or woken")
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
	 * The lease has run out, and the generator is closed.
	 */
	@JCStressTest
	@Outcome(id = "-2", expect = Expect.ACCEPTABLE, desc = "the exception that it is closed")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no exception, or an ID")
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
