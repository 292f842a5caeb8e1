// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;

import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.lease.LeaseWorld.Process;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests when lanes are added and replaced, and the clock at that time.
 */
class LeasedLanesTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration INTERVAL = Duration.ofSeconds(3);

	private static final Duration DEMAND_PAUSE = Duration.ofMinutes(1);

	private final LeaseWorld world = new LeaseWorld();

	private final InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();

	private void putReleased(long workerId, long lastUsed) {
		this.world.records.put(workerId, TestLeases.lease(Lease.NO_OWNER, lastUsed, "b:1", 0, 0), null);
	}

	private void loseFirst() {
		long horizon = this.world.records.read(0).lease().horizon();
		this.world.records.put(0, TestLeases.lease("other", horizon + 1000, "b:1", 0, 0), null);
	}

	private Process resumed() {
		this.world.process("a:1", this.disk, Duration.ZERO).start().kill();
		Process process = this.world.process("a:1", this.disk, Duration.ZERO);
		process.store.down(true);
		return process.start();
	}

	private static void assertClockIsJustAbove(Process process, long used) {
		assertThat(process.lanes.clock().millis()).isEqualTo(used + 1);
		assertThat(process.next().timestamp().toEpochMilli()).isEqualTo(used + 1);
	}

	@Test
	void theClockIsRaisedAboveTheFloorOfTheFirstWorkerId() {
		long used = this.world.now() + 8_000;
		putReleased(0, used);
		assertClockIsJustAbove(this.world.process("a:1").start(), used);
	}

	@Test
	void theClockIsRaisedAboveTheFloorOfTheWorkerIdThatIsTakenBecauseTheStateFileFailed() {
		long used = this.world.now() + 8_000;
		putReleased(0, used - 1_000);
		putReleased(1, used);
		this.disk.full = true;
		Process process = this.world.process("a:1", this.disk, Duration.ZERO).start();
		assertThat(process.workerId()).isEqualTo(1);
		assertClockIsJustAbove(process, used);
	}

	@Test
	void theClockIsRaisedAboveTheFloorOfAFurtherWorkerId() {
		this.world.maxLanes = 2;
		Process process = this.world.process("a:1").start();
		long used = this.world.now() + 8_000;
		putReleased(1, used);
		process.demandFurtherLane();
		this.world.pass(SECOND);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L);
		assertClockIsJustAbove(process, used);
	}

	@Test
	void theClockIsRaisedAboveTheFloorOfTheWorkerIdThatReplacesALostOne() {
		Process process = this.world.process("a:1").start();
		long used = this.world.now() + 8_000;
		putReleased(1, used);
		loseFirst();
		this.world.pass(INTERVAL);
		assertThat(process.workerId()).isEqualTo(1);
		assertClockIsJustAbove(process, used);
	}

	@Test
	void aLeaseThatTheStateFileNoLongerCoversIsReplacedAtOnce() {
		Process process = this.world.process("a:1", this.disk, Duration.ZERO).start();
		this.world.pass(INTERVAL);
		this.disk.full = true;
		this.world.pass(SECOND);
		assertThat(process.workerId()).isZero();
		this.world.pass(SECOND);
		assertThat(process.workerId()).isEqualTo(1);
	}

	@Test
	void aLeaseThatTheStateFileFailedToTakeOverIsReplacedAtOnce() {
		Process process = this.world.process("a:1", this.disk, Duration.ZERO).start();
		loseFirst();
		this.world.pass(Duration.ofMillis(2_500));
		this.disk.full = true;
		this.world.pass(Duration.ofMillis(500));
		assertThat(process.next().workerId()).isEqualTo(2);
	}

	@Test
	void aFurtherLaneThatWasRequestedBeforeTheStoreWasOpenIsTakenWhenItIsRequestedAgain() {
		this.world.maxLanes = 2;
		Process process = resumed();
		process.demandFurtherLane();
		this.world.pass(SECOND);
		process.store.down(false);
		this.world.pass(INTERVAL);
		assertThat(process.keeper.status().workerIds()).hasSize(1);
		process.demandFurtherLane();
		this.world.pass(SECOND);
		assertThat(process.keeper.status().workerIds()).hasSize(2);
	}

	@Test
	void aFurtherLaneThatCouldNotBeClaimedIsRequestedAgainAfterAPause() {
		this.world.maxLanes = 2;
		this.world.layout = new SnowflakeLayout(41, 1, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		Process process = this.world.process("a:1").start();
		Process other = this.world.process("b:1").start();
		process.demandFurtherLane();
		this.world.pass(SECOND);
		other.stop();
		process.demandFurtherLane();
		this.world.pass(SECOND);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L);
		this.world.pass(DEMAND_PAUSE);
		process.demandFurtherLane();
		this.world.pass(SECOND);
		assertThat(process.keeper.status().workerIds()).containsExactly(0L, 1L);
	}

	@Test
	void aResumedProcessReportsTheUnavailableStoreBeforeTheFirstRenewal() {
		Process process = resumed();
		process.paused = true;
		this.world.pass(Duration.ofSeconds(20));
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(process::next)
			.withMessageContaining("The store is unavailable");
	}

	@Test
	void aResumedProcessReportsTheUnavailableStoreAfterEachRenewal() {
		Process process = resumed();
		this.world.pass(INTERVAL.multipliedBy(2));
		assertThat(process.keeper.status().lastError()).isEqualTo("The store is unavailable");
	}

}
