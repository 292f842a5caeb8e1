// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import io.leaf.ClockDriftException;
import io.leaf.ManualScheduler;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.ManualTime;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.lease.LeaseWorld.Process;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests the checks of the clock at startup, and steps of the clock while a process runs.
 */
class ClockCheckTests {

	private final LeaseWorld world = new LeaseWorld();

	private Process process(String host, Duration clockOffset) {
		return this.world.process(host, null, clockOffset);
	}

	@ParameterizedTest
	@ValueSource(ints = { -11, 11 })
	void aClockFarFromThatOfTheStorePreventsStartupOfTheFirstProcess(int offset) {
		Instant now = Instant.ofEpochMilli(this.world.now());
		assertThatExceptionOfType(ClockDriftException.class)
			.isThrownBy(process("a:1", Duration.ofSeconds(offset))::start)
			.withMessageContainingAll("The clock of this machine shows " + now.plusSeconds(offset),
					"the clock of the store (memory) shows " + now, "they are 11 s apart",
					"leaf.snowflake.clock.max-drift (10 s)", "NTP");
		process("b:1", Duration.ofSeconds(10)).start();
	}

	@Test
	void aLabelStartsAgainOnceItsClockIsCorrected() {
		this.world.maxDrift = Duration.ofDays(400);
		process("a:1", Duration.ofDays(365)).start().stop();
		this.world.maxDrift = Duration.ofSeconds(10);
		process("a:1", Duration.ZERO).start().next();
	}

	@Test
	void theRefusalIsNotTreatedAsAnUnavailableStore() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		this.world.process("a:1", disk, Duration.ZERO).start().kill();
		assertThat(disk.saved).isNotNull();
		assertThatExceptionOfType(ClockDriftException.class)
			.isThrownBy(this.world.process("a:1", disk, Duration.ofHours(-1))::start);
	}

	@Test
	void aClockFarFromTheMedianOfTheLiveMembersPreventsStartup() {
		process("a:1", Duration.ofSeconds(2)).start();
		process("b:1", Duration.ofSeconds(4)).start();
		process("c:1", Duration.ofSeconds(9)).start();
		Instant now = Instant.ofEpochMilli(this.world.now());
		for (int offset : new int[] { -7, 15 }) {
			assertThatExceptionOfType(ClockDriftException.class)
				.isThrownBy(process("d:1", Duration.ofSeconds(offset))::start)
				.withMessageContainingAll("shows " + now.plusSeconds(offset),
						"the median of the clocks of 3 processes that reported recently is " + now.plusSeconds(4),
						"they are 11 s apart", "the clock of the store (memory) shows " + now,
						"a:1 shows " + now.plusSeconds(2), "b:1 shows " + now.plusSeconds(4),
						"c:1 shows " + now.plusSeconds(9), "leaf.snowflake.clock.max-drift (10 s)");
		}
		process("d:1", Duration.ofSeconds(14)).start();
		// for an even number of members, the median is the mean of the two middle clocks
		process("e:1", Duration.ofMillis(16_500)).start();
	}

	@Test
	void oneMemberWithAWrongClockDoesNotPreventStartup() {
		for (int member = 1; member <= 30; member++) {
			process("a:" + member, Duration.ZERO).start();
		}
		this.world.maxDrift = Duration.ofDays(2);
		process("b:1", Duration.ofDays(1)).start();
		this.world.maxDrift = Duration.ofSeconds(10);
		for (int member = 1; member <= 30; member++) {
			process("c:" + member, Duration.ZERO).start();
		}
	}

	@Test
	void aMemberWithSeveralLanesHasOneClock() {
		Lease wrong = TestLeases.lease("a", this.world.now() + 3_600_000, "a:1", 0, this.world.now() + 3_600_000);
		for (int workerId = 1; workerId <= 3; workerId++) {
			this.world.records.put(workerId, wrong, null);
		}
		process("b:1", Duration.ZERO).start();
		process("c:1", Duration.ZERO).start();
		process("d:1", Duration.ZERO).start();
	}

	@Test
	void aStoreWhoseClockAloneIsWrongDoesNotPreventStartup() {
		this.world.maxDrift = Duration.ofDays(2);
		for (int member = 1; member <= 3; member++) {
			process("a:" + member, Duration.ofDays(1)).start();
		}
		this.world.maxDrift = Duration.ofSeconds(10);
		process("b:1", Duration.ofDays(1)).start();
		assertThatExceptionOfType(ClockDriftException.class).isThrownBy(process("c:1", Duration.ZERO)::start);
	}

	@Test
	void theReportedTimeIsThatOfTheWallClock() {
		Process process = this.world.process("a:1").start();
		assertThat(process.record().reported()).isEqualTo(this.world.now());
		process.wall.step(Duration.ofDays(1));
		this.world.pass(Duration.ofSeconds(6));
		assertThat(process.lanes.clock().millis()).isEqualTo(this.world.now());
		assertThat(process.record().reported()).isBetween(this.world.now() + Duration.ofDays(1).toMillis() - 3_000,
				this.world.now() + Duration.ofDays(1).toMillis());
	}

	@Test
	void deadMembersAreIgnored() {
		this.world.maxDrift = Duration.ofDays(1);
		for (int member = 1; member <= 3; member++) {
			process("a:" + member, Duration.ofHours(3)).start();
		}
		this.world.stopAll();
		this.world.maxDrift = Duration.ofSeconds(10);
		process("b:1", Duration.ZERO).start();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT1S", "PT1H", "P1D" })
	void aClockThatStepsBackWhileTheProcessRunsCausesNoExceptionNoWaitAndNoDuplicate(Duration step) {
		Process process = this.world.process("a:1").start();
		process.next();
		process.wall.step(step.negated());
		for (int i = 0; i < 600; i++) {
			this.world.pass(Duration.ofSeconds(1));
			process.next();
		}
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT1S", "PT1H", "P1D" })
	void aClockThatStepsBackBetweenTwoRunsCausesNoExceptionNoWaitAndNoDuplicate(Duration step) {
		// allows startup with such a clock
		this.world.maxDrift = Duration.ofDays(2);
		Process before = this.world.process("a:1").start();
		SnowflakeId last = before.next();
		before.stop();
		Process after = process("a:1", step.negated()).start();
		assertThat(after.workerId()).isEqualTo(last.workerId());
		SnowflakeId next = after.next();
		assertThat(next.timestamp()).isAfter(last.timestamp()).isBefore(last.timestamp().plusSeconds(1));
		for (int i = 0; i < 60; i++) {
			this.world.pass(Duration.ofSeconds(1));
			after.next();
		}
	}

	@Test
	void afterAKillAClockThatSteppedBackDoesNotDelayTheRestart() {
		this.world.maxDrift = Duration.ofDays(2);
		Process before = this.world.process("a:1").start();
		before.next();
		before.kill();
		Process after = process("a:1", Duration.ofDays(-1)).start();
		assertThat(after.workerId()).isNotEqualTo(before.workerId());
		after.next();
	}

	@Test
	void aForwardStepOfTheWallClockIsFollowedOnceTheStoreConfirmsIt() {
		Process process = this.world.process("a:1").start();
		// the machine was suspended: the monotonic clock stood still
		this.world.passWithoutProcesses(Duration.ofMinutes(5));
		process.wall.step(Duration.ofMinutes(5));
		this.world.pass(Duration.ofSeconds(2));
		assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(this.world.now());
	}

	@Test
	void aForwardStepThatTheStoreDoesNotConfirmIsNotFollowed() {
		Process process = this.world.process("a:1").start();
		process.wall.step(Duration.ofDays(1));
		this.world.pass(Duration.ofSeconds(2));
		assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(this.world.now());
		assertThat(process.lanes.clock().offsetMillis()).isEqualTo(Duration.ofDays(1).toMillis());
	}

	@Test
	void withoutAClockOfTheStoreAForwardStepIsFollowedOnceItHasPersisted() {
		Process process = this.world.process("a:1");
		process.store.withoutClock();
		process.start();
		process.wall.step(Duration.ofDays(1));
		this.world.pass(Duration.ofSeconds(5));
		process.wall.step(Duration.ofDays(-1));
		this.world.pass(Duration.ofSeconds(2));
		assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(this.world.now());
		process.wall.step(Duration.ofDays(1));
		this.world.pass(Duration.ofSeconds(8));
		assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(this.world.now());
		this.world.pass(Duration.ofSeconds(5));
		assertThat(process.next().timestamp().toEpochMilli())
			.isEqualTo(this.world.now() + Duration.ofDays(1).toMillis());
	}

	@Test
	void aSecondForwardStepIsAlsoFollowed() {
		Process process = this.world.process("a:1").start();
		for (int step = 0; step < 2; step++) {
			this.world.passWithoutProcesses(Duration.ofMinutes(5));
			process.wall.step(Duration.ofMinutes(5));
			this.world.pass(Duration.ofSeconds(2));
			assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(this.world.now());
		}
	}

	@Test
	void theClockOfASlowStoreIsComparedWithTheMiddleOfTheRequest() {
		ManualScheduler time = new ManualScheduler();
		ManualTime wall = new ManualTime(time);
		// the request and the answer take nine seconds each
		WorkerLeaseStore slow = new InMemoryWorkerLeaseStore(() -> {
			time.tick(Duration.ofSeconds(9));
			long answer = wall.millis();
			time.tick(Duration.ofSeconds(9));
			return answer;
		});
		assertThatNoException().isThrownBy(() -> check(slow, time, wall));
	}

	private static void check(WorkerLeaseStore store, ManualScheduler time, ManualTime wall) {
		Duration maxDrift = Duration.ofSeconds(10);
		LeaseSettings settings = new LeaseSettings("orders", "a:1", Duration.ofSeconds(3), Duration.ofHours(1),
				maxDrift);
		new ClockCheck(store, settings, new GeneratorClock(wall, time::nanoTime, maxDrift), new Random(1)).check();
	}

}
