// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore.Fault;
import io.leaf.snowflake.lease.LeaseWorld.Process;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the lease protocol as {@link LeaseKeeper} runs it, with manual clocks and a store
 * whose answers are delayed, lost and reordered.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaseKeeperTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration INTERVAL = Duration.ofSeconds(3);

	private final LeaseWorld world = new LeaseWorld();

	@Test
	void claimsAWorkerIdUpToTheWindow() {
		Process process = this.world.process("a:1").start();
		assertThat(process.workerId()).isZero();
		assertThat(process.record().horizon()).isEqualTo(this.world.now() + 3_600_000);
		assertThat(process.record().host()).isEqualTo("a:1");
		assertThat(process.horizon()).isEqualTo(process.record().horizon());
		assertThat(process.next().workerId()).isZero();
	}

	@Test
	void renewsAtEveryInterval() {
		Process process = this.world.process("a:1").start();
		String owner = process.record().owner();
		this.world.pass(INTERVAL.multipliedBy(3));
		assertThat(process.record().horizon()).isEqualTo(this.world.now() + 3_600_000);
		assertThat(process.horizon()).isEqualTo(process.record().horizon());
		assertThat(process.record().owner()).isEqualTo(owner);
	}

	@Test
	void renewsAtOnceWhenTheStoreIsBack() {
		Process process = this.world.process("a:1").start();
		process.store.down(true);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).isEqualTo("The store is unavailable");
		this.world.pass(SECOND);
		process.store.down(false);
		this.world.pass(Duration.ofMillis(1));
		assertThat(process.keeper.status().lastError()).isNull();
		assertThat(process.horizon()).isEqualTo(this.world.now() - 1 + 3_600_000);
	}

	@Test
	void aHorizonTakesEffectOnlyOnceTheStoreHasConfirmedIt() {
		Process process = this.world.process("a:1").start();
		long horizon = process.horizon();
		process.store.failWrites(Fault.LOST);
		this.world.pass(INTERVAL);
		assertThat(process.horizon()).isEqualTo(horizon);
		assertThat(process.keeper.status().lastError()).contains("No answer");
		this.world.pass(INTERVAL);
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aRenewalWhoseAnswerWasLostIsFoundByReading() {
		Process process = this.world.process("a:1").start();
		process.store.failWrites(Fault.ANSWER_LOST);
		this.world.pass(INTERVAL);
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000);
		this.world.pass(INTERVAL);
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000);
		assertThat(process.workerId()).isZero();
	}

	@Test
	void aRenewalThatArrivesLateIsRecognized() {
		Process process = this.world.process("a:1").start();
		process.store.failWrites(Fault.DELAYED);
		this.world.pass(INTERVAL);
		process.store.deliver();
		this.world.pass(INTERVAL);
		assertThat(process.workerId()).isZero();
		assertThat(process.horizon()).isEqualTo(this.world.now() + 3_600_000).isEqualTo(process.record().horizon());
	}

	@Test
	void aRenewalThatArrivesAfterALaterOneHasNoEffect() {
		Process process = this.world.process("a:1").start();
		process.store.failWrites(Fault.DELAYED);
		this.world.pass(INTERVAL.multipliedBy(2));
		long horizon = process.record().horizon();
		process.store.deliver();
		assertThat(process.record().horizon()).isEqualTo(horizon);
		this.world.pass(INTERVAL);
		assertThat(process.workerId()).isZero();
	}

	@Test
	void aRenewalThatArrivesAfterTheReleaseHasNoEffect() {
		Process process = this.world.process("a:1").start();
		process.next();
		process.store.failWrites(Fault.DELAYED);
		this.world.pass(INTERVAL);
		process.stop();
		Process next = this.world.process("b:1").start();
		process.store.deliver();
		this.world.pass(INTERVAL);
		assertThat(next.workerId()).isZero();
		assertThat(next.keeper.status().lastError()).isNull();
	}

	@Test
	void aClaimWhoseAnswerWasLostIsFoundByReading() {
		Process process = this.world.process("a:1");
		process.store.failWrites(Fault.ANSWER_LOST);
		process.start();
		assertThat(process.workerId()).isZero();
		assertThat(this.world.records.readAll()).hasSize(1);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aClaimThatArrivesAfterItWasSentAgainIsOneClaim() {
		Process process = this.world.process("a:1");
		process.store.failWrites(Fault.DELAYED);
		process.start();
		process.store.deliver();
		this.world.pass(INTERVAL);
		assertThat(this.world.records.readAll()).hasSize(1);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aClaimWithoutAnAnswerStaysReservedIfItArrivesLater() {
		Process process = this.world.process("a:1");
		process.store.failWrites(Fault.DELAYED);
		// three times each of four attempts
		process.store.loseWrites(11);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::start)
			.withMessageContaining("No answer");
		process.store.deliver();
		assertThat(this.world.process("a:1").start().workerId()).isEqualTo(1);
	}

	@Test
	void aRepeatedStartTakesTheWorkerIdOfItsUnansweredClaim() {
		Process process = this.world.process("a:1");
		process.store.failWrites(Fault.ANSWER_LOST);
		// the requests that would confirm its arrival: three times, and once for each of
		// two attempts
		process.store.loseWrites(5);
		process.start();
		assertThat(process.next().workerId()).isZero();
		assertThat(this.world.records.readAll()).hasSize(1);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).isNull();
		assertThat(process.workerId()).isZero();
	}

	@Test
	void aClaimWhoseConfirmationArrivesUnansweredIsUsed() {
		Process process = this.world.process("a:1");
		process.store.failWrites(Fault.ANSWER_LOST, Fault.ANSWER_LOST, Fault.ANSWER_LOST);
		process.start();
		assertThat(process.next().workerId()).isZero();
		assertThat(this.world.records.readAll()).hasSize(1);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void anUnansweredClaimIsRecognizedAlthoughAnotherOneWasSentAfterIt() {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		this.world.records.remove(0);
		process.store.failWrites(Fault.LOST, Fault.DELAYED, Fault.LOST, Fault.LOST);
		this.world.pass(INTERVAL);
		process.store.failWrites(Fault.DELAYED, Fault.LOST, Fault.LOST);
		this.world.pass(INTERVAL);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next);
		process.store.deliver();
		assertThat(this.world.records.readAll()).hasSize(1);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).isNull();
		assertThat(process.next().workerId()).isZero();
	}

	@Test
	void aClaimThatTheStoreHasShownToBeLostIsNotResumedIfTheConnectionIsLostAfterwards() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		this.world.process("a:1", disk, Duration.ZERO).start().kill();
		this.world.records.put(0, TestLeases.lease("other", this.world.now() + 7_200_000, "b:1", 0, 0), null);
		Process process = this.world.process("a:1", disk, Duration.ZERO);
		process.store.loseWrites(12);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::start)
			.withMessageContaining("the saved lease, on worker ID 0, could not be confirmed in the store");
	}

	@Test
	void aClaimThatTheStoreHasShownInAnEarlierStateIsNotResumedIfTheConnectionIsLostAfterwards() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process before = this.world.process("a:1", disk, Duration.ZERO).start();
		LeaseRecord old = this.world.records.read(0);
		// the tick after the renewal saves the new horizon
		this.world.pass(INTERVAL.plusSeconds(1));
		before.kill();
		this.world.records.put(0, old.lease(), null);
		Process process = this.world.process("a:1", disk, Duration.ZERO);
		process.store.loseWrites(12);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::start)
			.withMessageContaining("the saved lease, on worker ID 0, could not be confirmed in the store");
	}

	@Test
	void aFurtherLaneNeverHasAWorkerIdThatTheProcessUsesEvenIfTheStoreHasLostIt() {
		this.world.maxLanes = 2;
		Process process = this.world.process("a:1").start();
		this.world.records.remove(0);
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).doesNotHaveDuplicates();
		this.world.pass(Duration.ofMinutes(1));
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).hasSize(2).doesNotHaveDuplicates();
	}

	@Test
	void theOnlyWorkerIdIsClaimedAgainAlthoughTheStateFileMayHoldTheEarlierClaim() {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		this.world.window = Duration.ofSeconds(60);
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process process = this.world.process("a:1", disk, Duration.ZERO).start();
		this.world.pass(INTERVAL);
		disk.full = true;
		this.world.pass(Duration.ofSeconds(70));
		assertThat(process.next().timestamp())
			.isAfter(Instant.ofEpochMilli(Objects.requireNonNull(disk.saved).horizon()));
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aLaneIsSealedBeforeItsOwnWorkerIdIsClaimedAgain() {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		this.world.window = Duration.ofSeconds(9);
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process process = this.world.process("a:1", disk, Duration.ZERO).start();
		this.world.pass(INTERVAL);
		disk.full = true;
		this.world.records.put(0, TestLeases.lease("other", this.world.now() - 1, "b:1", 0, 0), null);
		process.store.failWrites(Fault.LOST, Fault.LOST, Fault.LOST, Fault.LOST, Fault.LOST, Fault.LOST);
		this.world.pass(Duration.ofSeconds(2));
		// the reservation on disk would last a few seconds longer
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next);
	}

	@Test
	void aRestartContinuesAboveTheReservationEvenIfTheStoreMovedBackwards() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process before = this.world.process("a:1", disk, Duration.ZERO).start();
		this.world.pass(INTERVAL);
		Instant last = before.next().timestamp();
		before.kill();
		this.world.records.put(0, TestLeases.lease(Lease.NO_OWNER, 1, "a:1", 0, 0), null);
		Process after = this.world.process("a:1", disk, Duration.ofSeconds(-4)).start();
		assertThat(after.next()).satisfies((id) -> {
			assertThat(id.workerId()).isZero();
			assertThat(id.timestamp()).isAfter(last);
		});
	}

	@Test
	void theReservedTimestampsOfAFormerWorkerIdAreNotIssuedLater() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process before = this.world.process("a:1", disk, Duration.ZERO).start();
		this.world.pass(INTERVAL);
		Instant last = before.next().timestamp();
		before.kill();
		Process after = this.world.process("a:1", disk, Duration.ofSeconds(-4)).start();
		assertThat(after.next().workerId()).isEqualTo(1);
		this.world.records.remove(0);
		this.world.records.put(1, TestLeases.lease("other", after.horizon() + 3_600_000, "b:1", 0, 0), null);
		this.world.pass(INTERVAL);
		assertThat(after.next()).satisfies((id) -> {
			assertThat(id.workerId()).isZero();
			assertThat(id.timestamp()).isAfter(last);
		});
	}

	@Test
	void aFormerWorkerIdThatCannotBeClaimedYetDoesNotPreventAnotherClaim() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process process = this.world.process("a:1", disk, Duration.ZERO).start();
		// the state file keeps holding worker ID 0, which therefore stays reserved until
		// its horizon
		disk.full = true;
		this.world.pass(Duration.ofSeconds(10));
		assertThat(process.next().workerId()).isEqualTo(1);
		this.world.records.remove(0);
		this.world.records.put(1, TestLeases.lease("other", process.horizon() + 3_600_000, "b:1", 0, 0), null);
		this.world.pass(INTERVAL);
		assertThat(process.next().workerId()).isEqualTo(2);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aMissingLeaseRecordOfAWorkerIdInUseDoesNotPreventAFurtherLane() {
		this.world.maxLanes = 2;
		Process process = this.world.process("a:1").start();
		this.world.records.remove(0);
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L);
	}

	@Test
	void shutdownReleasesTheLastTimestampAndNothingIsIssuedAfterIt() {
		Process process = this.world.process("a:1").start();
		Instant last = process.next().timestamp();
		process.stop();
		Lease record = this.world.records.read(0).lease();
		assertThat(record.isReleased()).isTrue();
		assertThat(record.horizon()).isEqualTo(last.toEpochMilli());
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(process::next).withMessageContaining("closed");
	}

	@Test
	void aReleasedWorkerIdIsFreeAtOnceEvenForAClockThatIsSlightlyBehind() {
		Process process = this.world.process("a:1").start();
		Instant last = process.next().timestamp();
		process.stop();
		Process next = this.world.process("b:1", null, Duration.ofSeconds(-9)).start();
		assertThat(next.workerId()).isZero();
		assertThat(next.next().timestamp()).isAfter(last);
	}

	@Test
	void fewOfAThousandProcessesThatStartAtOnceTryTheSameWorkerId() {
		Lease released = TestLeases.lease(Lease.NO_OWNER, this.world.now(), "old", 0, 0);
		for (int workerId = 0; workerId < 1000; workerId++) {
			this.world.records.put(workerId, released, null);
		}
		List<LeaseRecord> read = this.world.records.readAll();
		LeaseSettings settings = new LeaseSettings("orders", "new", Duration.ofSeconds(3), LeaseWorld.WINDOW,
				Duration.ofSeconds(10));
		AtomicInteger writes = new AtomicInteger();
		WorkerLeaseStore counting = (WorkerLeaseStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { WorkerLeaseStore.class }, (proxy, method, arguments) -> {
					writes.addAndGet(method.getName().equals("write") ? 1 : 0);
					return method.invoke(this.world.records, arguments);
				});
		Random random = new Random(1);
		for (int process = 0; process < 1000; process++) {
			new LeaseClaims(counting, settings, this.world::now, random::nextLong).claim(read, this.world.now() + 1,
					Set.of());
		}
		// if all processes used the same order, they would all try the first worker ID:
		// 500,500 writes
		assertThat(writes.get()).isLessThan(10_000);
	}

	@Test
	void aReleaseWhoseAnswerWasLostTakesEffect() {
		Process process = this.world.process("a:1").start();
		process.store.failWrites(Fault.ANSWER_LOST);
		process.stop();
		assertThat(this.world.process("b:1").start().workerId()).isZero();
	}

	@Test
	void theWorkerIdOfAKilledProcessStaysReservedUntilItsHorizon() {
		Process process = this.world.process("a:1").start();
		process.next();
		process.kill();
		Process next = this.world.process("a:1").start();
		assertThat(next.workerId()).isEqualTo(1);
		next.kill();
		this.world.passWithoutProcesses(Duration.ofHours(1).plusMillis(1));
		assertThat(this.world.process("b:1").start().workerId()).isIn(0L, 1L);
	}

	@Test
	void aProcessPrefersTheWorkerIdThatItsLabelHadBefore() {
		Process a = this.world.process("a:1").start();
		Process b = this.world.process("b:1").start();
		a.stop();
		b.stop();
		assertThat(this.world.process("b:1").start().workerId()).isEqualTo(1);
		assertThat(this.world.process("c:1").start().workerId()).isZero();
	}

	@Test
	void aLostLeaseIsReplacedAndCallersNoticeNothing() {
		Process process = this.world.process("a:1").start();
		Instant before = process.next().timestamp();
		this.world.records.put(0, TestLeases.lease("other", process.horizon() + 1000, "b:1", 0, 0), null);
		assertThat(process.next().workerId()).isZero();
		this.world.pass(INTERVAL);
		assertThat(process.next()).satisfies((id) -> {
			assertThat(id.workerId()).isEqualTo(1);
			assertThat(id.timestamp()).isAfter(before);
		});
		process.stop();
		assertThat(this.world.records.read(0).lease().owner()).isEqualTo("other");
		assertThat(this.world.records.read(1).lease().isReleased()).isTrue();
	}

	@Test
	void withoutAnotherWorkerIdALostLeaseIsClaimedAgainOnceItIsFree() {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		Instant before = process.next().timestamp();
		this.world.records.put(0, TestLeases.lease("other", process.horizon() + 1000, "b:1", 0, 0), null);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).contains("No worker ID is free", "b:1");
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next)
			.withMessageContaining("No worker ID is free");
		this.world.records.put(0, TestLeases.lease(Lease.NO_OWNER, this.world.now(), "b:1", 0, 0), null);
		Instant released = Instant.ofEpochMilli(this.world.now());
		this.world.pass(INTERVAL);
		assertThat(process.next().timestamp()).isAfter(before).isAfter(released);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aWorkerIdWhoseLeaseRecordIsMissingIsClaimedAboveAllUsedTimestamps() {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		Instant before = process.next().timestamp();
		this.world.records.remove(0);
		this.world.pass(INTERVAL);
		assertThat(process.next().timestamp()).isAfter(before);
	}

	@Test
	void aStoreThatMovedBackwardsEndsTheLeaseAlthoughItStillNamesThisProcess() {
		Process process = this.world.process("a:1").start();
		LeaseRecord old = this.world.records.read(0);
		this.world.pass(INTERVAL.multipliedBy(2));
		this.world.records.put(0, old.lease(), null);
		this.world.pass(INTERVAL);
		assertThat(process.workerId()).isEqualTo(1);
	}

	@Test
	void aLaneIsSealedBeforeAnotherWorkerIdIsClaimed() {
		Process process = this.world.process("a:1").start();
		process.next();
		this.world.records.put(0, TestLeases.lease("other", process.horizon() + 1000, "b:1", 0, 0), null);
		process.store.failReadAll(() -> assertThat(process.lanes.all().get(0).isSealed()).isTrue());
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).contains("unavailable");
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next);
		this.world.pass(INTERVAL);
		assertThat(process.next().workerId()).isEqualTo(1);
	}

	@Test
	void oneOfTwoCopiesOfARunningProcessTakesAnotherWorkerId() {
		Process process = this.world.process("a:1").start();
		Lease lease = process.record();
		this.world.pass(INTERVAL);
		// the write of a copy that was made from the state before this renewal
		this.world.records.put(0, TestLeases.lease(lease.owner(), process.horizon() + 1, "a:1", lease.since(), 7),
				null);
		this.world.pass(INTERVAL);
		assertThat(process.workerId()).isEqualTo(1);
	}

	@Test
	void aStartWhoseConnectionIsLostIsRepeated() {
		Process process = this.world.process("a:1");
		process.store.failReadAll(() -> {
		});
		process.start();
		assertThat(process.next().workerId()).isZero();
	}

	@Test
	void aWorkerIdWhoseObstacleIsRemovedIsUsedAgain() {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		Instant before = process.next().timestamp();
		Lease lease = process.record();
		this.world.records.put(0, lease, "it cannot be read");
		this.world.pass(INTERVAL);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next);
		// as the message advises
		this.world.records.put(0, TestLeases.lease(Lease.NO_OWNER, this.world.now(), "", 0, 0), null);
		this.world.pass(INTERVAL);
		assertThat(process.next().timestamp()).isAfter(before);
	}

	@Test
	void aFurtherLaneThatIsNotNeededForALeaseWindowIsReleased() {
		this.world.maxLanes = 2;
		this.world.window = Duration.ofSeconds(60);
		Process process = this.world.process("a:1").start();
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).hasSize(2);
		long issued = process.lanes.issued();
		this.world.pass(Duration.ofSeconds(55));
		process.next();
		assertThat(process.keeper.status().workerIds()).hasSize(2);
		this.world.pass(Duration.ofSeconds(10));
		assertThat(process.keeper.status().workerIds()).containsExactly(0L);
		assertThat(this.world.records.read(1).lease().isReleased()).isTrue();
		assertThat(process.lanes.issued()).isEqualTo(issued + 1);
		process.next();
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L);
	}

	@Test
	void aFurtherLaneIsReleasedOnceTheStoreIsAvailableAgain() {
		this.world.maxLanes = 2;
		this.world.window = Duration.ofSeconds(60);
		Process process = this.world.process("a:1").start();
		demandFurtherLane(process);
		this.world.pass(Duration.ofSeconds(55));
		process.store.down(true);
		this.world.pass(Duration.ofSeconds(10));
		assertThat(process.keeper.status().workerIds()).containsExactly(0L);
		process.store.down(false);
		this.world.pass(INTERVAL);
		assertThat(this.world.records.read(1).lease().isReleased()).isTrue();
	}

	@Test
	void aFurtherLaneThatIsLostAndNotNeededIsNoLongerReplaced() {
		this.world.maxLanes = 2;
		this.world.window = Duration.ofSeconds(60);
		this.world.layout = new SnowflakeLayout(41, 1, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		demandFurtherLane(process);
		this.world.records.put(1, TestLeases.lease("other", process.horizon() + 3_600_000, "b:1", 0, 0), null);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).contains("No worker ID is free");
		assertThat(process.keeper.status().workerIds()).as("not the one that was lost").containsExactly(0L);
		this.world.pass(Duration.ofSeconds(65));
		assertThat(process.keeper.status().workerIds()).containsExactly(0L);
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aLostLeaseIsNotReportedAsReserved(CapturedOutput output) {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		this.world.records.put(0, TestLeases.lease("other", process.horizon() + 1000, "b:1", 0, 0), null);
		this.world.pass(INTERVAL);
		process.stop();
		assertThat(output).doesNotContain("was not released");
	}

	@Test
	void aProcessThatWasPausedBeyondItsHorizonIssuesNothingThatOthersHaveClaimed() {
		this.world.window = Duration.ofSeconds(10);
		Process paused = this.world.process("a:1").start();
		paused.next();
		paused.paused = true;
		this.world.pass(Duration.ofMinutes(1));
		Process other = this.world.process("b:1").start();
		assertThat(other.workerId()).isZero();
		other.next();
		// the process resumes, and callers request IDs before the keeper runs
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(paused::next);
		paused.paused = false;
		this.world.pass(INTERVAL);
		assertThat(paused.next().workerId()).isEqualTo(1);
		assertThat(other.next().workerId()).isZero();
	}

	@Test
	void aPausedProcessContinuesWithALeaseThatNoOtherProcessHasClaimed() {
		this.world.window = Duration.ofSeconds(10);
		Process paused = this.world.process("a:1").start();
		paused.paused = true;
		this.world.pass(Duration.ofMinutes(1));
		paused.paused = false;
		this.world.pass(INTERVAL);
		assertThat(paused.next().workerId()).isZero();
	}

	@Test
	void callersNoticeAnUnavailableStoreOnlyAtTheHorizon() {
		Process process = this.world.process("a:1").start();
		process.store.down(true);
		for (int minute = 0; minute < 59; minute++) {
			this.world.pass(Duration.ofMinutes(1));
			process.next();
		}
		this.world.pass(Duration.ofMinutes(2));
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next)
			.withMessageContaining("The store is unavailable");
		process.store.down(false);
		this.world.pass(INTERVAL);
		assertThat(process.next().workerId()).isZero();
		assertThat(process.keeper.status().lastError()).isNull();
	}

	@Test
	void aWorkerIdThatMeituansLeafUsesIsGivenUpEvenWithoutAnother() {
		this.world.layout = new SnowflakeLayout(41, 0, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		process.next();
		this.world.records.put(0, process.record(), "Meituan's Leaf uses it");
		this.world.pass(INTERVAL);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next)
			.withMessageContaining("Meituan's Leaf uses it");
	}

	@Test
	void aWorkerIdWhoseLeaseRecordCannotBeReadIsExchanged() {
		Process process = this.world.process("a:1").start();
		this.world.records.put(0, TestLeases.lease("?", 0, "?", 0, 0), "it cannot be read");
		this.world.pass(INTERVAL);
		assertThat(process.next().workerId()).isEqualTo(1);
	}

	@Test
	void aBurstThatRanAheadOfTheClockIsNotRepeatedAfterARestart() {
		Process process = this.world.process("a:1").start();
		SnowflakeId last = null;
		for (int i = 0; i < 100 * 4096; i++) {
			last = process.next();
		}
		assertThat(last.timestamp().toEpochMilli()).isGreaterThan(this.world.now() + 98);
		process.stop();
		Process next = this.world.process("a:1").start();
		assertThat(next.next()).satisfies((id) -> {
			assertThat(id.workerId()).isZero();
			assertThat(id.timestamp().toEpochMilli()).isGreaterThan(this.world.now() + 98);
		});
	}

	@Test
	void aClaimantWhoseClockIsFarAheadMayTakeALiveLeaseButNoneOfItsTimestamps() {
		this.world.maxDrift = Duration.ofDays(1);
		Process slow = this.world.process("a:1").start();
		Process fast = this.world.process("b:1", null, Duration.ofHours(2)).start();
		assertThat(fast.workerId()).isEqualTo(slow.workerId());
		Instant horizon = Instant.ofEpochMilli(slow.horizon());
		for (int i = 0; i < 100; i++) {
			assertThat(fast.next()).satisfies((id) -> assertThat(id.timestamp()).isAfter(horizon));
			slow.next();
			this.world.pass(SECOND);
		}
		assertThat(slow.workerId()).isNotEqualTo(fast.workerId());
	}

	@Test
	void twoProcessesWithTheSameLabelHaveDifferentWorkerIds() {
		Process first = this.world.process("a:1").start();
		Process second = this.world.process("a:1").start();
		assertThat(second.workerId()).isNotEqualTo(first.workerId());
		assertThat(second.record().owner()).isNotEqualTo(first.record().owner());
		this.world.pass(INTERVAL);
		first.next();
		second.next();
	}

	@Test
	void everyClaimHasADifferentOwner() {
		Process first = this.world.process("a:1").start();
		String owner = first.record().owner();
		first.stop();
		assertThat(this.world.process("a:1").start().record().owner()).isNotEqualTo(owner).isNotEmpty();
	}

	@Test
	void fiveThousandGracefulRestartsUseOneWorkerId() {
		for (int i = 0; i < 5_000; i++) {
			Process process = this.world.process("10.0.%d.%d:8080".formatted(i / 256, i % 256)).start();
			process.next();
			process.stop();
			this.world.passWithoutProcesses(Duration.ofMillis(20));
		}
		assertThat(this.world.records.readAll()).hasSize(1);
	}

	@Test
	void twoHundredKillsPerHourDoNotUseUpTheWorkerIds() {
		for (int hour = 0; hour < 10; hour++) {
			for (int i = 0; i < 200; i++) {
				Process process = this.world.process("10.0.%d.%d:8080".formatted(hour, i)).start();
				process.next();
				process.kill();
				this.world.passWithoutProcesses(Duration.ofSeconds(18));
			}
		}
		assertThat(this.world.records.readAll()).hasSizeLessThanOrEqualTo(202);
	}

	@Test
	void ifAllWorkerIdsAreHeldTheErrorListsTheHoldersAndWhenTheFirstBecomesFree() {
		this.world.layout = new SnowflakeLayout(41, 2, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		IntStream.range(0, 3).forEach((i) -> this.world.process("a:" + (i / 2)).start());
		this.world.records.put(3, TestLeases.lease("", 0, "c:1", 0, 0), "Meituan's Leaf uses it");
		long first = this.world.records.read(0).lease().horizon();
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this.world.process("d:1")::start)
			.withMessageContainingAll("leaf.name=orders", "4 are held", "2 by a:0", "1 by a:1",
					"1 by others (Meituan's Leaf uses it)",
					"Unless its lease is renewed, the first one becomes free at " + Instant.ofEpochMilli(first),
					"leaf.snowflake.lease-window", "worker-bits");
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 6 })
	void theErrorNamesFiveHoldersAndSaysWhetherThereAreOthers(int holders) {
		this.world.layout = new SnowflakeLayout(41, 3, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		IntStream.range(0, 8).forEach((i) -> this.world.process("a:" + (i % holders)).start());
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this.world.process("d:1")::start)
			.satisfies((ex) -> {
				assertThat(ex.getMessage().split(" by a:")).hasSize(6);
				assertThat(ex.getMessage().contains("and others")).isEqualTo(holders > 5);
			});
	}

	private void demandFurtherLane(Process process) {
		process.demandFurtherLane();
		this.world.pass(SECOND);
	}

	@Test
	void anUnexpectedFailureInOneLaneStopsNoOtherLaneAndIsReported() {
		this.world.maxLanes = 2;
		Process process = this.world.process("a:1").start();
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L);
		long before = this.world.records.read(1).lease().horizon();
		process.store.beforeWrite((workerId) -> {
			if (workerId == 0) {
				throw new IllegalStateException("a defect in a driver");
			}
		});
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().lastError()).contains("a defect in a driver");
		assertThat(this.world.records.read(1).lease().horizon()).isGreaterThan(before);
	}

	@Test
	void anUnansweredClaimThatCannotBeConfirmedDoesNotPreventAnotherClaim() {
		Process process = this.world.process("a:1");
		process.store.failWrites(Fault.ANSWER_LOST);
		AtomicInteger writes = new AtomicInteger();
		process.store.beforeWrite((workerId) -> {
			if (writes.getAndIncrement() > 0 && workerId == 0) {
				throw new WorkerLeaseStoreException("The row of worker ID 0 is locked", null, false);
			}
		});
		process.start();
		assertThat(process.workerId()).isEqualTo(1);
	}

	@Test
	void anUnansweredClaimThatArrivesLaterIsReleasedAtShutdown() {
		this.world.layout = new SnowflakeLayout(41, 4, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		for (long workerId = 0; workerId < 16; workerId++) {
			this.world.records.put(workerId, TestLeases.lease(Lease.NO_OWNER, 1, "x:1", 0, 0), null);
		}
		Process process = this.world.process("a:1");
		process.store.failWrites(Fault.DELAYED, Fault.LOST, Fault.LOST);
		process.start();
		process.store.deliver();
		process.stop();
		assertThat(this.world.records.readAll())
			.allSatisfy((record) -> assertThat(record.lease().isReleased()).isTrue());
	}

	@Test
	void anUnexpectedFailureOfAClaimDoesNotPreventLaterOnes() {
		this.world.maxLanes = 2;
		Process process = this.world.process("a:1").start();
		process.store.failReadAll(() -> {
			throw new IllegalStateException("a defect in a driver");
		});
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L);
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L);
	}

	@Test
	void furtherLanesAreLeasedOnDemandAndReleased() {
		this.world.maxLanes = 3;
		Process process = this.world.process("a:1").start();
		this.world.pass(Duration.ofSeconds(5));
		assertThat(process.keeper.status().workerIds()).containsExactly(0L);
		for (int lanes = 2; lanes <= 4; lanes++) {
			demandFurtherLane(process);
		}
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L, 2L);
		this.world.pass(INTERVAL);
		assertThat(process.lanes.all())
			.allSatisfy((lane) -> assertThat(lane.horizon()).isGreaterThanOrEqualTo(this.world.now() + 3_597_000));
		process.stop();
		assertThat(this.world.records.readAll()).allSatisfy((r) -> assertThat(r.lease().isReleased()).isTrue());
	}

	@Test
	void aFailedStartReleasesItsResources() {
		this.world.process("a:1").start();
		this.world.layout = SnowflakeLayout.JS_SAFE;
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process process = this.world.process("b:1", disk, Duration.ZERO);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(process::start)
			.withMessageContaining("leaf.snowflake.layout");
		assertThat(disk.isInUse()).isFalse();
		assertThat(process.scheduler.isShutdown()).isTrue();
		assertThat(process.store.timesClosed()).isEqualTo(1);
		process.keeper.close();
		assertThat(process.store.timesClosed()).isEqualTo(1);
	}

	@Test
	void aStartThatEndsWithAnErrorReleasesItsResources() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process process = this.world.process("a:1", disk, Duration.ZERO);
		process.store.failReadAll(() -> {
			throw new OutOfMemoryError("on purpose");
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(process::start);
		assertThat(disk.isInUse()).isFalse();
		assertThat(process.scheduler.isShutdown()).isTrue();
		assertThat(process.store.timesClosed()).isEqualTo(1);
	}

	@Test
	void aStartThatCannotCreateItsThreadsReleasesTheWorkerIdAndItsResources() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		Process process = this.world.process("a:1", disk, Duration.ZERO);
		process.scheduler.repeatFails = new OutOfMemoryError("unable to create native thread");
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(process::start);
		assertThat(disk.isInUse()).isFalse();
		assertThat(process.scheduler.isShutdown()).isTrue();
		assertThat(process.store.timesClosed()).isEqualTo(1);
		assertThat(this.world.records.read(0).lease().isReleased()).isTrue();
	}

	@Test
	void aLeaseThatWasFoundLostAfterAFailureDoesNotPreventTheReleaseOfOthers() {
		this.world.layout = new SnowflakeLayout(41, 1, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		this.world.maxLanes = 2;
		Process process = this.world.process("a:1").start();
		demandFurtherLane(process);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L);
		this.world.records.put(0, TestLeases.lease("other", process.record().horizon() + 1000, "b:1", 0, 0), null);
		process.store.failWrites(Fault.LOST);
		this.world.pass(INTERVAL);
		process.stop();
		assertThat(this.world.records.read(1).lease().isReleased()).isTrue();
	}

	@Test
	void manyUnansweredClaimsThatCannotBeReleasedDoNotDelayShutdown() {
		Process process = this.world.process("a:1").start();
		this.world.records.put(0, TestLeases.lease("other", process.record().horizon() + 1000, "b:1", 0, 0), null);
		IntStream.range(0, 1000).forEach((write) -> process.store.failWrites(Fault.ANSWER_LOST));
		this.world.pass(Duration.ofMinutes(1));
		assertThat(this.world.records.readAll()).hasSizeGreaterThan(5);
		AtomicInteger writes = new AtomicInteger();
		process.store.beforeWrite((workerId) -> writes.incrementAndGet());
		process.stop();
		assertThat(writes).hasValueLessThanOrEqualTo(4);
	}

	@Test
	void callersNeedNotWaitForTheNextRenewalAfterTheClockHasSteppedBeyondTheHorizon() {
		Process process = this.world.process("a:1").start();
		process.next();
		this.world.passWithoutProcesses(Duration.ofHours(2));
		process.wall.step(Duration.ofHours(2));
		this.world.pass(SECOND);
		assertThat(process.lanes.clock().millis()).isEqualTo(process.wall.millis());
		assertThat(process.next().timestamp()).isEqualTo(Instant.ofEpochMilli(process.wall.millis()));
	}

	@Test
	void aProcessThatNeverReachedTheStoreStopsGracefully() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		this.world.process("a:1", disk, Duration.ZERO).start().kill();
		Process process = this.world.process("a:1", disk, Duration.ZERO);
		process.store.down(true);
		process.start();
		process.store.down(false);
		process.stop();
		assertThat(disk.isInUse()).isFalse();
		assertThat(disk.saved).isNotNull();
	}

	@Test
	void aFurtherLaneIsTakenOnceTheStoreIsOpen() {
		this.world.maxLanes = 2;
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		this.world.process("a:1", disk, Duration.ZERO).start().kill();
		Process process = this.world.process("a:1", disk, Duration.ZERO);
		process.store.down(true);
		process.start();
		process.store.down(false);
		for (int minute = 0; minute < 2; minute++) {
			process.demandFurtherLane();
			this.world.pass(Duration.ofSeconds(61));
		}
		assertThat(process.keeper.status().workerIds()).hasSize(2);
	}

}
