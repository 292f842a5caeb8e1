// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;

import io.leaf.snowflake.SnowflakeLane.Obstacle;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SnowflakeLane} at its bounds. Most of them use a layout without a
 * sequence: each millisecond has one number, so the position of a lane is known exactly.
 */
class SnowflakeLaneTests {

	private static final Instant EPOCH = ManualTime.START.minusMillis(500);

	private static final long NOW = ManualTime.START.toEpochMilli();

	private static final long LAST_TICK = EPOCH.toEpochMilli() + 1023;

	private static final SnowflakeLayout NO_SEQUENCE = new SnowflakeLayout(10, 2, 0, Unit.MILLISECONDS, EPOCH);

	private static SnowflakeLane lane(SnowflakeLayout layout, int maxLead) {
		return new SnowflakeLane(new SnowflakeSettings(layout, Duration.ofMillis(maxLead), 1, Duration.ofSeconds(2)), 3,
				7);
	}

	private static SnowflakeLane open(int maxLead, long horizon) {
		SnowflakeLane lane = lane(NO_SEQUENCE, maxLead);
		lane.open(0, 0, horizon);
		return lane;
	}

	private static long millis(long id) {
		return NO_SEQUENCE.decode(id).timestamp().toEpochMilli();
	}

	@Test
	void withoutLeadTheTickOfTheClockIsIssuedToItsEnd() {
		assertThat(millis(open(0, NOW + 10).tryNext(NOW))).isEqualTo(NOW);
		long[] ids = new long[3];
		assertThat(open(0, NOW + 10).tryNext(NOW, ids, 0)).isEqualTo(1);
		assertThat(millis(ids[0])).isEqualTo(NOW);
	}

	@Test
	void withinTheLeadEachDrawAddsOne() {
		SnowflakeLane lane = open(2, NOW + 10);
		assertThat(millis(lane.tryNext(NOW))).isEqualTo(NOW);
		assertThat(millis(lane.tryNext(NOW))).isEqualTo(NOW + 1);
		assertThat(millis(lane.tryNext(NOW))).isEqualTo(NOW + 2);
		assertThat(lane.tryNext(NOW)).isEqualTo(SnowflakeLane.NONE);
	}

	@Test
	void aBatchContinuesAfterThePreviousIdEvenIfThatWasTheFirstOfItsTick() {
		SnowflakeLane lane = open(2, NOW + 10);
		lane.tryNext(NOW);
		long[] ids = new long[2];
		assertThat(lane.tryNext(NOW, ids, 0)).isEqualTo(2);
		assertThat(LongStream.of(ids).map(SnowflakeLaneTests::millis)).containsExactly(NOW + 1, NOW + 2);
	}

	@Test
	void theIdAfterABatchIsTheNextOne() {
		SnowflakeLane lane = open(5, NOW + 10);
		lane.tryNext(NOW, new long[3], 0);
		assertThat(lane.lastUsed()).isEqualTo(NOW + 2);
		assertThat(millis(lane.tryNext(NOW))).isEqualTo(NOW + 3);
	}

	@Test
	void drawsThatTheLeadStopsUseNoNumbers() {
		SnowflakeLane lane = open(2, NOW + 10);
		lane.tryNext(NOW, new long[3], 0);
		for (int i = 0; i < 5; i++) {
			assertThat(lane.tryNext(NOW)).isEqualTo(SnowflakeLane.NONE);
		}
		assertThat(lane.lastUsed()).isEqualTo(NOW + 2);
		assertThat(millis(lane.tryNext(NOW + 1))).isEqualTo(NOW + 3);
	}

	@Test
	void obstacle_isTheHorizonIfTheLeaseOfALaneThatHasIssuedNothingHasRunOut() {
		SnowflakeLane lane = open(2, NOW - 1);
		assertThat(lane.tryNext(NOW)).isEqualTo(SnowflakeLane.NONE);
		assertThat(lane.obstacle(NOW)).isEqualTo(Obstacle.HORIZON);
	}

	@Test
	void obstacle_isTheLeadIfTheHorizonLeavesOneNumber() {
		SnowflakeLane lane = open(2, NOW + 3);
		lane.tryNext(NOW, new long[3], 0);
		assertThat(lane.obstacle(NOW)).isEqualTo(Obstacle.LEAD);
		assertThat(millis(lane.tryNext(NOW + 1))).isEqualTo(NOW + 3);
		assertThat(lane.obstacle(NOW + 1)).isEqualTo(Obstacle.HORIZON);
	}

	@Test
	void obstacle_inTheLastTickOfTheLayoutIsTheLeaseIfThatHasRunOut() {
		SnowflakeLane lane = open(2, LAST_TICK - 1);
		assertThat(lane.obstacle(LAST_TICK)).isEqualTo(Obstacle.HORIZON);
		assertThat(lane.obstacle(LAST_TICK + 1)).isEqualTo(Obstacle.LAYOUT_USED_UP);
	}

	@Test
	void obstacle_isTheLayoutAsSoonAsItsLastNumberIsIssued() {
		SnowflakeLane lane = open(2, LAST_TICK + 10);
		assertThat(lane.tryNext(LAST_TICK - 2, new long[5], 0)).isEqualTo(3);
		assertThat(lane.obstacle(LAST_TICK - 2)).isEqualTo(Obstacle.LAYOUT_USED_UP);
	}

	@Test
	void obstacle_ofASealedLaneIsTheSeal() {
		SnowflakeLane lane = open(2, NOW + 10);
		lane.seal();
		assertThat(lane.obstacle(NOW)).isEqualTo(Obstacle.SEALED);
	}

	@Test
	void untilWithinLead_isTheTimeUntilTheTickAfterTheLast() {
		SnowflakeLane lane = lane(NO_SEQUENCE, 2);
		lane.open(NOW + 50, 0, NOW + 400);
		Duration wait = lane.untilWithinLead(NOW);
		assertThat(wait).isEqualTo(Duration.ofMillis(49));
		assertThat(lane.tryNext(NOW + wait.toMillis() - 1)).isEqualTo(SnowflakeLane.NONE);
		assertThat(millis(lane.tryNext(NOW + wait.toMillis()))).isEqualTo(NOW + 51);
	}

	@Test
	void lastUsed_isTheBeginningOfATickThatIsLongerThanAMillisecond() {
		SnowflakeLane lane = lane(SnowflakeLayout.BAIDU, 100);
		lane.open(0, 0, NOW + 60_000);
		lane.tryNext(NOW + 300);
		assertThat(lane.lastUsed()).isEqualTo(NOW);
	}

	@Test
	void seal_returnsTheLargestTickUsedHoweverOftenItIsCalled() {
		SnowflakeLane lane = open(5, NOW + 10);
		lane.tryNext(NOW, new long[3], 0);
		assertThat(lane.seal()).isEqualTo(502);
		assertThat(lane.seal()).isEqualTo(502);
		assertThat(lane.lastUsed()).isEqualTo(NOW + 2);
	}

}
