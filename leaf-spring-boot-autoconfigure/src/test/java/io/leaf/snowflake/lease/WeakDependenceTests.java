// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;

import io.leaf.ClockDriftException;
import io.leaf.IdGenerationException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;
import io.leaf.snowflake.lease.LeaseWorld.Process;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of going on after a restart while the store is away.
 */
class WeakDependenceTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final LeaseWorld world = new LeaseWorld();

	private final InMemoryLeaseMemory.Disk disk = new InMemoryLeaseMemory.Disk();

	private Process start() {
		return this.world.process("a:1", this.disk, Duration.ZERO).start();
	}

	private Process restartWithoutStore() {
		return startWithoutStore(this.world.process("a:1", this.disk, Duration.ZERO));
	}

	private static Process startWithoutStore(Process process) {
		process.store.down(true);
		return process.start();
	}

	@Test
	void theGeneratorNeverPassesWhatIsReservedOnDisk() {
		Process process = start();
		long reserved = this.disk.remembered.reservedUntil();
		assertThat(reserved).isEqualTo(this.world.now() + 5_000);
		assertThat(process.horizon()).isEqualTo(reserved);
		this.world.pass(SECOND);
		assertThat(process.horizon()).isEqualTo(this.disk.remembered.reservedUntil()).isEqualTo(reserved + 1_000);
	}

	@Test
	void aRestartWhileTheStoreIsAwayGoesOnWithTheSameWorkerIdAboveTheReservation() {
		Process before = start();
		this.world.process("b:1").start();
		before.next();
		long reserved = this.disk.remembered.reservedUntil();
		before.kill();
		Process after = restartWithoutStore();
		SnowflakeId next = after.next();
		assertThat(next.workerId()).isEqualTo(before.workerId());
		assertThat(next.timestamp().toEpochMilli()).isEqualTo(reserved + 1);
		assertThat(after.keeper.status().lastError()).contains("away");
	}

	@Test
	void whenTheStoreIsBackTheLeaseIsRenewed() {
		start().kill();
		Process after = restartWithoutStore();
		this.world.pass(Duration.ofMinutes(5));
		after.next();
		after.store.down(false);
		this.world.pass(Duration.ofSeconds(3));
		assertThat(after.register().horizon()).isEqualTo(after.keeper.status().horizon().toEpochMilli())
			.isBetween(this.world.now() + 3_600_000, this.world.now() + 3_606_000);
		assertThat(after.keeper.status().lastError()).isNull();
		assertThat(after.workerId()).isZero();
	}

	@Test
	void itIssuesNothingAboveTheHorizon() {
		start().kill();
		this.world.passWithNobodyRunning(Duration.ofMinutes(59));
		Process after = restartWithoutStore();
		after.next();
		this.world.pass(Duration.ofMinutes(2));
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(after::next);
	}

	@Test
	void afterTheHorizonThereIsNothingToGoOnWith() {
		start().kill();
		this.world.passWithNobodyRunning(Duration.ofMinutes(61));
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is away", "worker ID 0 ended at");
		assertThat(this.disk.isInUse()).isFalse();
	}

	@Test
	void whileTheStoreAnswersARestartNeverResumesEarly() {
		start().kill();
		assertThat(start().workerId()).isEqualTo(1);
		assertThat(this.disk.remembered.workerId()).isEqualTo(1);
	}

	@Test
	void aCopiedMemoryYieldsAnError() {
		start().kill();
		this.disk.copied = true;
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is away", "may be a copy")
			.satisfies(
					(ex) -> assertThat(ex.getCause().getSuppressed()).hasOnlyElementsOfType(IdGenerationException.class)
						.hasSize(1));
	}

	@Test
	void aMemoryThatSpeaksOfAnotherStoreYieldsAnError() {
		start().kill();
		this.world.registers.identity("memory 2");
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is away", "speaks of another store");
		this.world.registers.identity("memory 1");
		assertThat(restartWithoutStore().next().workerId()).isZero();
	}

	@Test
	void aStoreThatCannotBeToldFromOthersCostsOnlyTheWeakDependence() {
		this.world.registers.identity(null);
		Process process = start();
		process.next();
		assertThat(process.keeper.status().memoryError())
			.contains("It is not known which store the worker IDs come from", "leaf.segment.datasource.url");
		assertThat(this.disk.remembered).isNull();
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000);
		process.kill();
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is away", "It is not known which store the worker IDs come from");
	}

	@Test
	void withoutMemoryThereIsNothingToGoOnWith() {
		this.world.process("a:1").start().kill();
		assertThatExceptionOfType(WorkerIdUnavailableException.class)
			.isThrownBy(() -> startWithoutStore(this.world.process("a:1")))
			.withMessageContainingAll("The store is away", "no earlier process");
	}

	@Test
	void anOrderlyEndLeavesNothingToGoOnWith() {
		start().stop();
		assertThat(this.disk.remembered).isNull();
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore);
	}

	@Test
	void anOrderlyRestartWhileTheStoreIsAwayGoesOnWithTheSameWorkerId() {
		Process before = start();
		before.next();
		before.store.down(true);
		before.stop();
		Process after = restartWithoutStore();
		assertThat(after.next().workerId()).isZero();
		after.stop();
		Process third = restartWithoutStore();
		third.next();
		third.store.down(false);
		this.world.pass(Duration.ofSeconds(3));
		assertThat(third.keeper.status().lastError()).isNull();
		third.stop();
		assertThat(this.world.registers.read(0).lease().isReleased()).isTrue();
		assertThat(this.disk.remembered).isNull();
	}

	@Test
	void whatCannotBeForgottenIsNotReleased() {
		Process process = start();
		process.next();
		this.disk.full = true;
		process.stop();
		assertThat(this.world.registers.read(0).lease().isReleased()).isFalse();
		this.disk.full = false;
		Process other = this.world.process("b:1").start();
		Process after = restartWithoutStore();
		assertThat(other.workerId()).isEqualTo(1);
		assertThat(after.next().workerId()).isZero();
	}

	@Test
	void ifOthersHaveClaimedMeanwhileItTakesAnotherWorkerId() {
		start().kill();
		Process after = restartWithoutStore();
		after.next();
		WorkerLease register = this.world.registers.read(0).lease();
		// a claimant whose clock is far ahead
		this.world.registers.put(0, TestLeases.lease("other", register.horizon() + 1000, "b:1", 0, 0), null);
		after.store.down(false);
		this.world.pass(Duration.ofSeconds(3));
		assertThat(after.next().workerId()).isEqualTo(1);
		assertThat(this.disk.remembered.workerId()).isEqualTo(1);
	}

	@Test
	void aDiskThatFailsOnceIsTriedAgain() {
		Process process = start();
		this.disk.full = true;
		this.world.pass(SECOND);
		this.disk.full = false;
		this.world.pass(SECOND);
		assertThat(process.keeper.status().memoryError()).isNull();
		assertThat(process.next().workerId()).isZero();
		assertThat(process.horizon()).isEqualTo(this.world.now() + 5_000);
	}

	@Test
	void aDiskThatStaysFullCostsAWorkerIdButNoCallerNotices() {
		Process process = start();
		process.next();
		this.disk.full = true;
		for (int i = 0; i < 20; i++) {
			this.world.pass(SECOND);
			process.next();
		}
		assertThat(process.next().workerId()).isEqualTo(1);
		assertThat(process.keeper.status().memoryError()).contains("No space left");
		assertThat(process.horizon()).isGreaterThan(this.world.now() + 3_590_000);
		process.stop();
		// the memory still speaks of the first claim, so that one must rest
		assertThat(this.world.registers.read(0).lease().isReleased()).isFalse();
		assertThat(this.world.registers.read(1).lease().isReleased()).isTrue();
	}

	// it was: every success of the other lane asked for the next renewal, without end
	@Test
	@Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
	void aLaneThatFindsNoOtherWorkerIdDoesNotHaveTheLeasesRenewedWithoutPause() {
		this.world.layout = new SnowflakeLayout(41, 1, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		this.world.maxLanes = 2;
		Process process = start();
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> {
			while (true) {
				process.generator.nextIds("order", 4096);
			}
		});
		this.world.pass(SECOND);
		assertThat(process.keeper.status().workerIds()).hasSize(2);
		this.disk.full = true;
		this.world.pass(Duration.ofSeconds(30));
		// one register a renewal: the other lane's
		int writes = this.world.registers.writes();
		this.world.pass(Duration.ofSeconds(30));
		assertThat(this.world.registers.writes()).isEqualTo(writes + 10);
	}

	@Test
	void withoutAnotherWorkerIdAClaimThatMayBeRememberedIsFollowedByOneAboveIt() {
		this.world.layout = new SnowflakeLayout(41, 1, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		this.world.window = Duration.ofSeconds(9);
		Process process = start();
		this.world.process("b:1").start();
		long horizon = process.horizon();
		this.disk.full = true;
		this.world.pass(Duration.ofSeconds(20));
		SnowflakeId id = process.next();
		assertThat(id.workerId()).isZero();
		assertThat(id.timestamp().toEpochMilli()).isGreaterThan(horizon);
		assertThat(this.world.registers.read(0).lease().horizon()).isEqualTo(process.horizon());
	}

	@Test
	void whoResumesFromADiskThatWasFullRepeatsNothing() {
		Process process = start();
		this.disk.full = true;
		this.disk.writtenAllTheSame = true;
		for (int i = 0; i < 20; i++) {
			this.world.pass(SECOND);
			process.next();
		}
		process.kill();
		this.disk.full = false;
		Process after = restartWithoutStore();
		for (int i = 0; i < 60; i++) {
			after.next();
			this.world.pass(SECOND);
		}
	}

	@Test
	void aMemoryThatIsInUseCostsOnlyTheWeakDependence() {
		start();
		Process second = this.world.process("a:1", this.disk, Duration.ZERO).start();
		assertThat(second.next().workerId()).isEqualTo(1);
		assertThat(second.keeper.status().memoryError()).contains("Another process");
	}

	@Test
	void aMemoryThatFailsAtTheStartCostsOnlyTheWeakDependence() {
		this.disk.full = true;
		Process process = start();
		process.next();
		assertThat(process.keeper.status().memoryError()).contains("No space left");
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000);
	}

	@Test
	void whatAMemoryThatCannotBeWrittenAtTheStartStillSpeaksOfIsLeftAlone() {
		start().kill();
		// the store went back, and offers the worker ID of the memory again
		this.world.registers.remove(0);
		this.world.registers.put(1, TestLeases.lease(WorkerLease.NOBODY, 1, "b:1", 0, 0), null);
		this.disk.full = true;
		assertThat(start().next().workerId()).isEqualTo(2);
	}

	@Test
	void aMemoryThatCannotBeWrittenStopsAResume() {
		start().kill();
		this.disk.full = true;
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContaining("No space left");
	}

	@Test
	void aClockFarBehindTheMemoryStopsTheStart() {
		start().kill();
		Process process = this.world.process("a:1", this.disk, Duration.ofSeconds(-20));
		assertThatExceptionOfType(ClockDriftException.class).isThrownBy(() -> startWithoutStore(process))
			.withMessageContaining("leaf.snowflake.clock.max-drift");
	}

	@Test
	void anOrderlyEndWhileTheStoreIsAwayLeavesSomethingToGoOnWith() {
		Process before = start();
		before.store.down(true);
		SnowflakeId last = before.next();
		before.stop();
		assertThat(this.disk.isInUse()).isFalse();
		SnowflakeId next = restartWithoutStore().next();
		assertThat(next.workerId()).isEqualTo(last.workerId());
		assertThat(next.timestamp()).isAfter(last.timestamp());
	}

	@Test
	void aClaimThatMayBeRememberedSinceTakingItOverFailedIsNotReleased() {
		Process process = start();
		this.world.registers.put(0, TestLeases.lease("other", process.register().horizon() + 1000, "b:1", 0, 0), null);
		this.world.pass(Duration.ofMillis(2500));
		this.disk.broken = true;
		this.world.pass(Duration.ofMillis(700));
		this.disk.broken = false;
		process.stop();
		assertThat(this.disk.remembered.workerId()).isEqualTo(1);
		assertThat(this.world.registers.read(1).lease().isReleased()).isFalse();
	}

	@Test
	void aSingleTimestampThatIsLeftIsEnoughToGoOn() {
		long horizon = this.world.now() + 3_000;
		this.disk.remembered = new RememberedLease(5, "me", horizon, horizon - 1);
		Process process = restartWithoutStore();
		assertThat(process.lanes.clock().millis()).isEqualTo(horizon);
		assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(horizon);
	}

	@Test
	void atTheHorizonItselfAClaimMayStillBeGoneOnWith() {
		long horizon = this.world.now();
		this.disk.remembered = new RememberedLease(5, "me", horizon, horizon - 10);
		assertThat(restartWithoutStore().next().timestamp().toEpochMilli()).isEqualTo(horizon);
	}

	@Test
	void aReservationUpToTheHorizonLeavesNothingToGoOnWith() {
		long horizon = this.world.now() + 3_000;
		this.disk.remembered = new RememberedLease(5, "me", horizon, horizon);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContaining("worker ID 5 ended at");
	}

}
