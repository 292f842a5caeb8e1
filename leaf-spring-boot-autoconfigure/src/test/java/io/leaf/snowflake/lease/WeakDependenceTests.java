// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.util.stream.IntStream;

import io.leaf.ClockDriftException;
import io.leaf.IdGenerationException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore.Fault;
import io.leaf.snowflake.lease.LeaseWorld.Process;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a process resumes its lease if it restarts while the store is unavailable.
 */
class WeakDependenceTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final LeaseWorld world = new LeaseWorld();

	private final InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();

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
	void theGeneratorNeverPassesTheReservationOnDisk() {
		Process process = start();
		long reserved = this.disk.saved.reservedUntil();
		assertThat(reserved).isEqualTo(this.world.now() + 5_000);
		assertThat(process.horizon()).isEqualTo(reserved);
		this.world.pass(SECOND);
		assertThat(process.horizon()).isEqualTo(this.disk.saved.reservedUntil()).isEqualTo(reserved + 1_000);
	}

	@Test
	void aRestartWhileTheStoreIsUnavailableResumesTheWorkerIdAboveTheReservation() {
		Process before = start();
		this.world.process("b:1").start();
		before.next();
		long reserved = this.disk.saved.reservedUntil();
		before.kill();
		Process after = restartWithoutStore();
		SnowflakeId next = after.next();
		assertThat(next.workerId()).isEqualTo(before.workerId());
		assertThat(next.timestamp().toEpochMilli()).isEqualTo(reserved + 1);
		assertThat(after.keeper.status().lastError()).contains("unavailable");
	}

	@Test
	void theLeaseIsRenewedWhenTheStoreIsAvailableAgain() {
		start().kill();
		Process after = restartWithoutStore();
		this.world.pass(Duration.ofMinutes(5));
		after.next();
		after.store.down(false);
		this.world.pass(Duration.ofSeconds(3));
		assertThat(after.record().horizon()).isEqualTo(after.keeper.status().horizon().toEpochMilli())
			.isBetween(this.world.now() + 3_600_000, this.world.now() + 3_606_000);
		assertThat(after.keeper.status().lastError()).isNull();
		assertThat(after.workerId()).isZero();
	}

	@Test
	void aResumedProcessIssuesNothingAboveTheHorizon() {
		start().kill();
		this.world.passWithoutProcesses(Duration.ofMinutes(59));
		Process after = restartWithoutStore();
		after.next();
		this.world.pass(Duration.ofMinutes(2));
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(after::next);
	}

	@Test
	void afterTheHorizonTheSavedLeaseCannotBeResumed() {
		start().kill();
		this.world.passWithoutProcesses(Duration.ofMinutes(61));
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is unavailable", "worker ID 0, ended at");
		assertThat(this.disk.isInUse()).isFalse();
	}

	@Test
	void aRestartWhileTheStoreIsAvailableDoesNotResumeTheLease() {
		start().kill();
		assertThat(start().workerId()).isEqualTo(1);
		assertThat(this.disk.saved.workerId()).isEqualTo(1);
	}

	@Test
	void aCopiedStateFileIsAnError() {
		start().kill();
		this.disk.copied = true;
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is unavailable", "may be a copy")
			.satisfies(
					(ex) -> assertThat(ex.getCause().getSuppressed()).hasOnlyElementsOfType(IdGenerationException.class)
						.hasSize(1));
	}

	@Test
	void aStateFileOfAnotherStoreIsAnError() {
		start().kill();
		this.world.records.identity("memory 2");
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is unavailable", "belongs to another store");
		this.world.records.identity("memory 1");
		assertThat(restartWithoutStore().next().workerId()).isZero();
	}

	@Test
	void aStoreWithoutAnIdentityOnlyPreventsResuming() {
		this.world.records.identity(null);
		Process process = start();
		process.next();
		assertThat(process.keeper.status().stateFileError())
			.contains("It is not known which store the worker IDs come from", "leaf.segment.datasource.url");
		assertThat(this.disk.saved).isNull();
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000);
		process.kill();
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContainingAll("The store is unavailable",
					"It is not known which store the worker IDs come from");
	}

	@Test
	void withoutAStateFileNoLeaseIsResumed() {
		this.world.process("a:1").start().kill();
		assertThatExceptionOfType(WorkerIdUnavailableException.class)
			.isThrownBy(() -> startWithoutStore(this.world.process("a:1")))
			.withMessageContainingAll("The store is unavailable", "no lease is saved");
	}

	@Test
	void aGracefulShutdownLeavesNoSavedLease() {
		start().stop();
		assertThat(this.disk.saved).isNull();
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore);
	}

	@Test
	void aGracefulRestartWhileTheStoreIsUnavailableResumesTheSameWorkerId() {
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
		assertThat(this.world.records.read(0).lease().isReleased()).isTrue();
		assertThat(this.disk.saved).isNull();
	}

	@Test
	void aClaimThatCannotBeErasedIsNotReleased() {
		Process process = start();
		process.next();
		this.disk.full = true;
		process.stop();
		assertThat(this.world.records.read(0).lease().isReleased()).isFalse();
		this.disk.full = false;
		Process other = this.world.process("b:1").start();
		Process after = restartWithoutStore();
		assertThat(other.workerId()).isEqualTo(1);
		assertThat(after.next().workerId()).isZero();
	}

	@Test
	void aResumedProcessTakesAnotherWorkerIdIfItsOwnHasBeenClaimed() {
		start().kill();
		Process after = restartWithoutStore();
		after.next();
		Lease record = this.world.records.read(0).lease();
		// a claimant whose clock is far ahead
		this.world.records.put(0, TestLeases.lease("other", record.horizon() + 1000, "b:1", 0, 0), null);
		after.store.down(false);
		this.world.pass(Duration.ofSeconds(3));
		assertThat(after.next().workerId()).isEqualTo(1);
		assertThat(this.disk.saved.workerId()).isEqualTo(1);
	}

	@Test
	void aDiskThatFailsOnceIsTriedAgain() {
		Process process = start();
		this.disk.full = true;
		this.world.pass(SECOND);
		this.disk.full = false;
		this.world.pass(SECOND);
		assertThat(process.keeper.status().stateFileError()).isNull();
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
		assertThat(process.keeper.status().stateFileError()).contains("No space left");
		assertThat(process.horizon()).isGreaterThan(this.world.now() + 3_590_000);
		process.stop();
		// the state file still holds the first claim, which must stay reserved
		assertThat(this.world.records.read(0).lease().isReleased()).isFalse();
		assertThat(this.world.records.read(1).lease().isReleased()).isTrue();
	}

	// formerly, every renewal of the other lane requested the next one without a pause
	@Test
	@Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
	void aLaneThatFindsNoOtherWorkerIdDoesNotCauseRenewalsWithoutPause() {
		this.world.layout = new SnowflakeLayout(41, 1, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		this.world.maxLanes = 2;
		Process process = start();
		process.demandFurtherLane();
		this.world.pass(SECOND);
		assertThat(process.keeper.status().workerIds()).hasSize(2);
		this.disk.full = true;
		this.world.pass(Duration.ofSeconds(30));
		// one lease record per renewal: that of the other lane
		int writes = this.world.records.writes();
		this.world.pass(Duration.ofSeconds(30));
		assertThat(this.world.records.writes()).isEqualTo(writes + 10);
	}

	@Test
	void withoutAnotherWorkerIdAClaimThatTheStateFileMayHoldIsFollowedByOneAboveIt() {
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
		assertThat(this.world.records.read(0).lease().horizon()).isEqualTo(process.horizon());
	}

	@Test
	void aProcessThatResumesFromADiskThatWasFullRepeatsNoId() {
		Process process = start();
		this.disk.full = true;
		this.disk.writtenDespiteFailure = true;
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
	void aStateFileThatIsInUseOnlyPreventsResuming() {
		start();
		Process second = this.world.process("a:1", this.disk, Duration.ZERO).start();
		assertThat(second.next().workerId()).isEqualTo(1);
		assertThat(second.keeper.status().stateFileError()).contains("Another process");
	}

	@Test
	void aStateFileThatFailsAtStartupOnlyPreventsResuming() {
		this.disk.full = true;
		Process process = start();
		process.next();
		assertThat(process.keeper.status().stateFileError()).contains("No space left");
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000);
	}

	@Test
	void aLeaseInAStateFileThatCannotBeWrittenAtStartupIsNotClaimed() {
		start().kill();
		// the store was restored to an earlier state and offers the saved worker ID again
		this.world.records.remove(0);
		this.world.records.put(1, TestLeases.lease(Lease.NO_OWNER, 1, "b:1", 0, 0), null);
		this.disk.full = true;
		assertThat(start().next().workerId()).isEqualTo(2);
	}

	@Test
	void aStateFileThatCannotBeWrittenPreventsResuming() {
		start().kill();
		this.disk.full = true;
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageEndingWith("but its state file cannot be written: No space left");
	}

	@Test
	void aClockFarBehindTheStateFilePreventsStartup() {
		start().kill();
		Process process = this.world.process("a:1", this.disk, Duration.ofSeconds(-20));
		assertThatExceptionOfType(ClockDriftException.class).isThrownBy(() -> startWithoutStore(process))
			.withMessageContaining("leaf.snowflake.clock.max-drift");
	}

	@Test
	void aGracefulShutdownWhileTheStoreIsUnavailableLeavesASavedLease() {
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
	void anOutdatedReadDoesNotEndTheSavedLease() {
		Process before = start();
		LeaseRecord old = this.world.records.read(0);
		this.world.pass(Duration.ofSeconds(4));
		before.kill();
		Lease current = this.world.records.read(0).lease();
		Process process = this.world.process("a:1", this.disk, Duration.ZERO);
		this.world.records.put(0, old.lease(), null);
		process.store.afterReadAll(() -> this.world.records.put(0, current, null));
		IntStream.range(0, 12).forEach((write) -> process.store.failWrites(Fault.LOST));
		process.start();
		assertThat(process.next().workerId()).isZero();
	}

	@Test
	void aSavedLeaseThatHasEndedIsNotResumedIfTheConnectionIsLostAfterwards() {
		Process before = start();
		LeaseRecord old = this.world.records.read(0);
		this.world.pass(Duration.ofSeconds(4));
		before.kill();
		// the store was restored to an earlier state
		this.world.records.put(0, old.lease(), null);
		Process process = this.world.process("a:1", this.disk, Duration.ZERO);
		process.store.afterReadAll(() -> process.store.down(true));
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::start);
	}

	@Test
	void aReplacementThatFailsUnexpectedlyIsRepeated() {
		Process process = start();
		this.world.records.put(0, TestLeases.lease("other", process.record().horizon() + 1000, "b:1", 0, 0), null);
		this.world.pass(Duration.ofMillis(2500));
		this.disk.broken = true;
		this.world.pass(Duration.ofMillis(700));
		this.disk.broken = false;
		this.world.pass(Duration.ofSeconds(6));
		assertThat(process.next().workerId()).isEqualTo(2);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aClaimThatTheStateFileMayHoldAfterAFailedReplacementIsNotReleased() {
		Process process = start();
		this.world.records.put(0, TestLeases.lease("other", process.record().horizon() + 1000, "b:1", 0, 0), null);
		this.world.pass(Duration.ofMillis(2500));
		this.disk.broken = true;
		this.world.pass(Duration.ofMillis(700));
		this.disk.broken = false;
		process.stop();
		assertThat(this.disk.saved.workerId()).isEqualTo(1);
		assertThat(this.world.records.read(1).lease().isReleased()).isFalse();
	}

	@Test
	void aStateFileWhoseWritesFailUnexpectedlyIsTreatedLikeOneOnAFullDisk() {
		Process process = start();
		this.world.pass(SECOND);
		this.disk.broken = true;
		for (int i = 0; i < 20; i++) {
			this.world.pass(SECOND);
			process.next();
		}
		assertThat(process.keeper.status().stateFileError()).contains("Broken");
	}

	@Test
	void aSingleRemainingTimestampIsEnoughToResume() {
		long horizon = this.world.now() + 3_000;
		this.disk.saved = new SavedLease(5, "me", horizon, horizon - 1);
		Process process = restartWithoutStore();
		assertThat(process.lanes.clock().millis()).isEqualTo(horizon);
		assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(horizon);
	}

	@Test
	void aClaimCanStillBeResumedExactlyAtItsHorizon() {
		long horizon = this.world.now();
		this.disk.saved = new SavedLease(5, "me", horizon, horizon - 10);
		assertThat(restartWithoutStore().next().timestamp().toEpochMilli()).isEqualTo(horizon);
	}

	@Test
	void aReservationUpToTheHorizonCannotBeResumed() {
		long horizon = this.world.now() + 3_000;
		this.disk.saved = new SavedLease(5, "me", horizon, horizon);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::restartWithoutStore)
			.withMessageContaining("worker ID 5, ended at");
	}

}
