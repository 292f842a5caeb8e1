// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.leaf.IdGenerationException;
import io.leaf.ManualScheduler;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.ManualTime;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the interaction of the two threads of {@link LeaseKeeper}, which the test runs
 * step by step, and shutdown while one of them is busy.
 */
class LeaseKeeperThreadsTests {

	private static final Duration MAX_DRIFT = Duration.ofSeconds(10);

	private static final Duration WINDOW = Duration.ofHours(1);

	private final ManualScheduler local = new ManualScheduler();

	private final BusyScheduler storeThread = new BusyScheduler();

	private final ManualTime wall = new ManualTime(this.local);

	private final InMemoryWorkerLeaseStore store = new InMemoryWorkerLeaseStore(this.wall::millis);

	private SnowflakeLanes lanes(Duration acquireTimeout) {
		return new SnowflakeLanes(
				new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 2, acquireTimeout),
				new GeneratorClock(this.wall, this.local::nanoTime, MAX_DRIFT));
	}

	private static LeaseSettings settings() {
		return new LeaseSettings("orders", "a:1", Duration.ofSeconds(3), WINDOW, MAX_DRIFT);
	}

	private LeaseKeeper start(SnowflakeLanes lanes) {
		LeaseKeeper keeper = new LeaseKeeper(this.store, null, lanes, settings(),
				new LeaseThreads(this.storeThread, this.local, (nanos) -> {
				}), () -> 7);
		keeper.start();
		return keeper;
	}

	@Test
	void anInterruptedShutdownReleasesTheWorkerIdAndTheStateFile() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		LeaseKeeper keeper = new LeaseKeeper(this.store, new InMemorySavedLeaseStore(disk), lanes(Duration.ofMillis(1)),
				settings());
		keeper.start();
		Thread.currentThread().interrupt();
		keeper.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(disk.isInUse()).isFalse();
		assertThat(this.store.read(0).lease().isReleased()).isTrue();
	}

	@Test
	void aLostClaimIsErasedFromTheStateFileAtShutdownAlthoughItsReplacementIsNotALaneYet() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		LeaseKeeper keeper = start(lanes(Duration.ofMillis(1)), disk, this.storeThread, this.local);
		this.store.put(0, TestLeases.lease("other", this.wall.millis() + 7_200_000, "b:1", 0, 0), null);
		this.storeThread.advance(Duration.ofSeconds(3));
		keeper.close();
		// otherwise, a restart while the store is unavailable would issue the IDs of
		// "other"
		assertThat(disk.saved).isNull();
	}

	@Test
	void aLostClaimIsErasedFromTheStateFileAtShutdownAlthoughTheStoreHasBecomeUnavailable() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		LeaseKeeper keeper = start(lanes(Duration.ofMillis(1)), disk, this.storeThread, this.local);
		this.store.put(0, TestLeases.lease("other", this.wall.millis() + 7_200_000, "b:1", 0, 0), null);
		this.store.failReadAll(() -> this.store.down(true));
		this.storeThread.advance(Duration.ofSeconds(3));
		keeper.close();
		assertThat(disk.saved).isNull();
	}

	@Test
	void aShutdownThatIsInterruptedWhileItWaitsForTheStoreThreadUnlocksTheStateFile() {
		InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();
		this.storeThread.interrupted = true;
		BusyScheduler localThread = new BusyScheduler();
		LeaseKeeper keeper = start(lanes(Duration.ofMillis(1)), disk, this.storeThread, localThread);
		keeper.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(disk.isInUse()).isFalse();
	}

	@Test
	void aShutdownThatCannotWaitForTheStoreThreadKeepsAStoreLockedThatIsNotShared() {
		WorkerLeaseStore file = (WorkerLeaseStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { WorkerLeaseStore.class },
				(proxy, method, arguments) -> method.getName().equals("isShared") ? Boolean.FALSE
						: method.invoke(this.store, arguments));
		LeaseKeeper keeper = new LeaseKeeper(file, null, lanes(Duration.ofMillis(1)), settings(),
				new LeaseThreads(this.storeThread, this.local, (nanos) -> {
				}), () -> 7);
		keeper.start();
		this.storeThread.busy = true;
		keeper.close();
		assertThat(this.store.timesClosed()).isZero();
	}

	private LeaseKeeper start(SnowflakeLanes lanes, InMemorySavedLeaseStore.Disk disk, ManualScheduler storeThread,
			ManualScheduler localThread) {
		LeaseKeeper keeper = new LeaseKeeper(this.store, new InMemorySavedLeaseStore(disk), lanes, settings(),
				new LeaseThreads(storeThread, localThread, (nanos) -> {
				}), new Random(7)::nextLong);
		keeper.start();
		return keeper;
	}

	private static void demand(SnowflakeLanes lanes) {
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> {
			while (true) {
				new SnowflakeIdGenerator(lanes).nextIds("order", 4096);
			}
		});
	}

	private Lease record(long workerId) {
		return this.store.read(workerId).lease();
	}

	@Test
	void aClaimThatIsNotALaneYetIsNotClaimedAgainEvenIfTheStoreHasLostIt() {
		SnowflakeLanes lanes = lanes(Duration.ofMillis(1));
		LeaseKeeper keeper = start(lanes);
		demand(lanes);
		this.local.advance(Duration.ofSeconds(1));
		this.storeThread.advance(Duration.ofSeconds(1));
		assertThat(record(1).isReleased()).isFalse();
		this.store.remove(1);
		this.store.put(0, TestLeases.lease("other", this.wall.millis() + 7_200_000, "b:1", 0, 0), null);
		this.storeThread.advance(Duration.ofSeconds(3));
		this.local.advance(Duration.ofSeconds(1));
		assertThat(keeper.status().workerIds()).doesNotHaveDuplicates();
		this.storeThread.advance(Duration.ofSeconds(6));
		this.local.advance(Duration.ofSeconds(1));
		assertThat(keeper.status().workerIds()).doesNotHaveDuplicates();
	}

	@Test
	void aClaimThatIsNotALaneYetIsReleasedAtShutdown() {
		SnowflakeLanes lanes = lanes(Duration.ofMillis(1));
		LeaseKeeper keeper = start(lanes);
		demand(lanes);
		this.local.advance(Duration.ofSeconds(1));
		this.storeThread.run();
		assertThat(record(1).isReleased()).isFalse();
		assertThat(keeper.status().workerIds()).containsExactly(0L);
		keeper.close();
		assertThat(record(0).isReleased()).isTrue();
		assertThat(record(1).isReleased()).isTrue();
		assertThat(this.store.timesClosed()).isEqualTo(1);
	}

	@Test
	void aShutdownThatCannotWaitForTheStoreThreadStopsCallersAndReleasesNothing() {
		SnowflakeLanes lanes = lanes(Duration.ofMillis(1));
		LeaseKeeper keeper = start(lanes);
		this.storeThread.busy = true;
		keeper.close();
		assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> new SnowflakeIdGenerator(lanes).nextId("order"))
			.withMessageContaining("closed");
		// the store thread may still write to the lease record
		assertThat(record(0).isReleased()).isFalse();
		assertThat(this.store.timesClosed()).isEqualTo(1);
	}

	@Test
	void aCallerThatWaitsForTheLeaseIsWokenWhenTheLocalThreadFindsItRenewed() {
		SnowflakeLanes lanes = lanes(Duration.ofMinutes(10));
		start(lanes);
		this.local.tick(WINDOW.plusSeconds(1));
		List<Long> ids = new ArrayList<>();
		Thread caller = new Thread(() -> ids.add(new SnowflakeIdGenerator(lanes).nextId("order")));
		caller.setDaemon(true);
		caller.start();
		await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
		this.storeThread.advance(Duration.ofSeconds(3));
		this.local.run();
		await().until(() -> !caller.isAlive());
		assertThat(ids).hasSize(1);
	}

	@Test
	void twoKeepersNeverMakeTheSameClaim() {
		List<String> owners = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			try (LeaseKeeper keeper = new LeaseKeeper(this.store.another(), null, lanes(Duration.ofMillis(1)),
					settings())) {
				keeper.start();
				owners.add(record(keeper.status().workerIds().get(0)).owner());
			}
		}
		assertThat(owners).doesNotHaveDuplicates().hasSize(2);
	}

	/**
	 * A scheduler whose thread may never end its task.
	 */
	private static final class BusyScheduler extends ManualScheduler {

		private boolean busy;

		private boolean interrupted;

		@Override
		public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
			if (Thread.interrupted() || this.interrupted) {
				throw new InterruptedException();
			}
			return !this.busy && super.awaitTermination(timeout, unit);
		}

		@Override
		public boolean isTerminated() {
			return !this.busy && super.isTerminated();
		}

	}

}
