// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

import io.leaf.snowflake.SnowflakeLayout.Unit;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/**
 * Creates the objects under test. In their layout, a tick is one millisecond and has only
 * one ID, so each ID shows the time for which it was drawn. The clock stands still.
 */
final class Lanes {

	/**
	 * The time of the clock, in milliseconds.
	 */
	static final long NOW = 1000;

	/**
	 * How far timestamps may run ahead of the clock, in milliseconds.
	 */
	static final int LEAD = 100;

	/**
	 * How long a caller waits before its wake-up counts as lost.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final SnowflakeLayout TICKS = new SnowflakeLayout(41, 1, 0, Unit.MILLISECONDS, Instant.EPOCH);

	private static final GeneratorClock CLOCK = new GeneratorClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)),
			() -> 0, Duration.ZERO);

	private Lanes() {
	}

	/**
	 * Creates an open lane.
	 * @param lead how far its timestamps may run ahead of the clock, in milliseconds
	 * @param spent the distance of the last used tick from {@link #NOW}
	 * @param horizon the distance of its horizon from {@link #NOW}
	 */
	static SnowflakeLane lane(int lead, long spent, long horizon) {
		SnowflakeLane lane = new SnowflakeLane(settings(TICKS, lead), 0, 0);
		lane.open(NOW + spent, 0, NOW + horizon);
		return lane;
	}

	/**
	 * Draws an ID.
	 * @param after the distance of the clock from {@link #NOW}
	 * @return the distance of its tick from {@link #NOW}, or -1 if no ID was available
	 */
	static long draw(SnowflakeLane lane, long after) {
		return after(lane.tryNext(NOW + after));
	}

	/**
	 * Returns the distance of the tick of an ID from {@link #NOW}, or -1 if the given
	 * number is {@link SnowflakeLane#NONE}.
	 */
	static long after(long id) {
		return (id != SnowflakeLane.NONE) ? (id >>> 1) - NOW : -1;
	}

	/**
	 * Draws up to three IDs at {@link #NOW}.
	 * @param result receives the number of IDs as its second value, and the first and the
	 * last ID as its third and fourth values
	 */
	static void drawThree(SnowflakeLane lane, JJJJ_Result result) {
		long[] ids = new long[3];
		int count = lane.tryNext(NOW, ids, 0);
		result.r2 = count;
		result.r3 = (count > 0) ? after(ids[0]) : -1;
		result.r4 = (count > 0) ? after(ids[count - 1]) : -1;
	}

	/**
	 * Creates an empty set of lanes. A caller that is not woken in time gets a
	 * {@link LostWakeUpException}.
	 */
	static SnowflakeLanes empty() {
		return new SnowflakeLanes(settings(TICKS, LEAD), CLOCK,
				new SnowflakeEnvironment(System::nanoTime, Lanes::park, () -> 0));
	}

	static SnowflakeSettings settings(SnowflakeLayout layout, int lead) {
		return new SnowflakeSettings(layout, Duration.ofMillis(lead), 2, PATIENCE.multipliedBy(2));
	}

	private static void park(long nanos) {
		long start = System.nanoTime();
		LockSupport.parkNanos(Math.min(nanos, PATIENCE.toNanos()));
		// a wait for the clock is shorter, and is not reported
		if (System.nanoTime() - start >= PATIENCE.toNanos()) {
			throw new LostWakeUpException();
		}
	}

	/**
	 * Thrown if a caller was not woken in time.
	 */
	static final class LostWakeUpException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
