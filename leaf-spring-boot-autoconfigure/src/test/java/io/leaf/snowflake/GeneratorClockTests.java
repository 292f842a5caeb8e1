// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;

import io.leaf.ManualScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class GeneratorClockTests {

	private final ManualScheduler scheduler = new ManualScheduler();

	private final ManualTime wall = new ManualTime(this.scheduler);

	private final GeneratorClock clock = new GeneratorClock(this.wall, this.scheduler::nanoTime,
			Duration.ofSeconds(10));

	private void pass(Duration duration) {
		this.scheduler.tick(duration);
	}

	@Test
	void showsTheWallClockAdvancedByTheMonotonicClock() {
		assertThat(this.clock.millis()).isEqualTo(ManualTime.START.toEpochMilli());
		pass(Duration.ofMillis(1500));
		assertThat(this.clock.millis()).isEqualTo(ManualTime.START.toEpochMilli() + 1500);
	}

	@Test
	void doesNotNoticeAStepBeforeFollowIsCalled() {
		this.wall.step(Duration.ofSeconds(-5));
		pass(Duration.ofMillis(300));
		assertThat(this.clock.millis()).isEqualTo(this.wall.trueMillis());
	}

	@Test
	void followsAForwardStepWithinTheAllowedDrift() {
		this.wall.step(Duration.ofSeconds(10));
		assertThat(this.clock.follow()).isTrue();
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@Test
	void doesNotFollowALargerForwardStepByItself() {
		this.wall.step(Duration.ofMillis(10_001));
		assertThat(this.clock.follow()).isFalse();
		assertThat(this.clock.millis()).isEqualTo(this.wall.trueMillis());
		assertThat(this.clock.offsetMillis()).isEqualTo(10_001);
	}

	@Test
	void followsALargerForwardStepThatAnotherClockConfirms() {
		this.wall.step(Duration.ofHours(1));
		assertThat(this.clock.confirm(this.wall.millis() - 9_000)).isTrue();
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@Test
	void doesNotFollowALargerForwardStepThatAnotherClockDoesNotConfirm() {
		this.wall.step(Duration.ofHours(1));
		assertThat(this.clock.confirm(this.wall.trueMillis())).isFalse();
		assertThat(this.clock.millis()).isEqualTo(this.wall.trueMillis());
	}

	@Test
	void anotherClockConfirmsAStepIfItDiffersByAtMostTheAllowedDrift() {
		this.wall.step(Duration.ofHours(1));
		assertThat(this.clock.confirm(this.wall.millis() - 10_001)).isFalse();
		assertThat(this.clock.confirm(this.wall.millis() + 10_001)).isFalse();
		assertThat(this.clock.confirm(this.wall.millis() - 10_000)).isTrue();
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0.003S", "PT1S", "PT1H", "P1D" })
	void afterABackwardStepItNeverMovesBackAndMeetsTheWallClockInTenTimesTheDifference(Duration step) {
		this.wall.step(step.negated());
		long last = this.clock.millis();
		for (int second = 0; second <= step.toSeconds() * 10; second++) {
			assertThat(this.clock.follow()).isTrue();
			assertThat(this.clock.millis()).isGreaterThanOrEqualTo(last).isGreaterThanOrEqualTo(this.wall.millis());
			last = this.clock.millis();
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@Test
	void runsAtNineTenthsOfItsRateUntilTheWallClockHasCaughtUp() {
		this.wall.step(Duration.ofSeconds(-5));
		this.clock.follow();
		long before = this.clock.millis();
		pass(Duration.ofSeconds(10));
		assertThat(this.clock.millis()).isEqualTo(before + 9_000);
		assertThat(this.clock.follow()).isTrue();
		assertThat(this.clock.offsetMillis()).isEqualTo(-4_000);
		pass(Duration.ofSeconds(40));
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
		pass(Duration.ofSeconds(40));
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@Test
	void raiseTo_movesItUpAndLetsTheWallClockCatchUp() {
		long used = this.wall.millis() + 3_000;
		this.clock.raiseTo(used);
		assertThat(this.clock.millis()).isEqualTo(used);
		pass(Duration.ofSeconds(10));
		assertThat(this.clock.millis()).isEqualTo(used + 9_000);
		pass(Duration.ofSeconds(20));
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@Test
	void raiseTo_doesNotMoveItDown() {
		this.clock.raiseTo(this.wall.millis() - 1);
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@Test
	void raiseTo_reportsHowFarTheWallClockIsBehind() {
		this.clock.raiseTo(this.wall.millis() + 3_000);
		assertThat(this.clock.offsetMillis()).isEqualTo(-3_000);
	}

	@Test
	void raiseTo_reportsHowFarTheWallClockIsStillAhead() {
		this.wall.step(Duration.ofHours(1));
		this.clock.raiseTo(this.clock.millis() + 1_000);
		assertThat(this.clock.offsetMillis()).isEqualTo(3_599_000);
	}

	@Test
	void raiseTo_letsItRunAtItsFullRateAgainOnceTheWallClockHasCaughtUp() {
		this.clock.raiseTo(this.wall.millis() + 3_000);
		pass(Duration.ofSeconds(90));
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis());
	}

	@Test
	void raiseTo_changesNothingIfTheClockHasReachedTheTime() {
		this.wall.step(Duration.ofHours(1));
		this.clock.follow();
		this.clock.raiseTo(this.clock.millis());
		assertThat(this.clock.offsetMillis()).isEqualTo(3_600_000);
	}

	@Test
	void severalThreadsMayMoveIt() {
		inAnotherThread(this.clock::follow);
		inAnotherThread(() -> this.clock.raiseTo(this.wall.millis() + 3_000));
		inAnotherThread(() -> this.clock.raiseTo(this.wall.millis() + 4_000));
		inAnotherThread(this.clock::follow);
		assertThat(this.clock.millis()).isEqualTo(this.wall.millis() + 4_000);
	}

	private static void inAnotherThread(Runnable action) {
		Thread thread = new Thread(action);
		thread.setDaemon(true);
		thread.start();
		await().until(() -> !thread.isAlive());
	}

}
