// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.leaf.ManualScheduler;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.ManualTime;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the requests that are sent to the store at startup: the application waits for all
 * of them.
 */
class LeaseKeeperStartupTests {

	private static final long NOW = ManualTime.START.toEpochMilli();

	private final ManualScheduler scheduler = new ManualScheduler();

	private final InMemoryWorkerLeaseStore records = new InMemoryWorkerLeaseStore(() -> NOW);

	private final List<String> calls = new ArrayList<>();

	private Runnable meanwhile = () -> {
	};

	private boolean numbersAreUsedUp;

	private LeaseKeeper start(String host) {
		InstantSource wall = InstantSource.fixed(ManualTime.START);
		Duration maxDrift = Duration.ofSeconds(10);
		SnowflakeLanes lanes = new SnowflakeLanes(
				new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 1, Duration.ofMillis(1)),
				new GeneratorClock(wall, this.scheduler::nanoTime, maxDrift));
		LeaseKeeper keeper = new LeaseKeeper(recording(this.records.another()), null, lanes,
				new LeaseSettings("orders", host, Duration.ofSeconds(3), Duration.ofHours(1), maxDrift),
				new LeaseThreads(this.scheduler, this.scheduler, (nanos) -> {
				}), () -> 7);
		keeper.start();
		return keeper;
	}

	private WorkerLeaseStore recording(WorkerLeaseStore store) {
		return (WorkerLeaseStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { WorkerLeaseStore.class }, (proxy, method, arguments) -> {
					if (!Set.of("source", "isShared", "firstWorkerId", "whenBack").contains(method.getName())) {
						this.calls.add(method.getName());
					}
					if (method.getName().equals("write")) {
						this.meanwhile.run();
					}
					if (method.getName().equals("newWorkerId") && this.numbersAreUsedUp) {
						return OptionalLong.empty();
					}
					try {
						return method.invoke(store, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private static Lease lease(String owner, long horizon) {
		return TestLeases.lease(owner, horizon, "b:1", NOW, NOW);
	}

	@Test
	void theFirstStartReadsOnceAndTakesANewWorkerId() {
		start("a:1");
		assertThat(this.calls).containsExactly("open", "currentTime", "readAll", "newWorkerId", "write");
	}

	@Test
	void aRestartReadsOnceAndTakesItsWorkerIdAgain() {
		this.records.put(5, lease(Lease.NO_OWNER, NOW - 1), null);
		assertThat(start("b:1").status().workerIds()).containsExactly(5L);
		assertThat(this.calls).containsExactly("open", "currentTime", "readAll", "write");
	}

	@Test
	void aReleasedWorkerIdIsTakenIfItsHorizonIsAtMostTheAllowedDriftAhead() {
		this.records.put(5, lease(Lease.NO_OWNER, NOW + 10_001), null);
		this.records.put(6, lease(Lease.NO_OWNER, NOW + 10_000), null);
		assertThat(start("a:1").status().workerIds()).containsExactly(6L);
	}

	@Test
	void aLeaseThatEndsNowIsNotTakenAndOneThatHasEndedIs() {
		this.records.put(5, lease("b", NOW), null);
		this.records.put(6, lease("c", NOW - 1), null);
		assertThat(start("a:1").status().workerIds()).containsExactly(6L);
	}

	@Test
	void theNextWorkerIdIsTakenIfAnotherProcessClaimsTheNewOneFirst() {
		Lease taken = lease("b", NOW + 10_000);
		this.meanwhile = () -> {
			this.meanwhile = () -> {
			};
			this.records.put(0, taken, null);
		};
		assertThat(start("a:1").status().workerIds()).containsExactly(1L);
		assertThat(this.records.read(0).lease()).isEqualTo(taken);
	}

	@Test
	void startupFailsIfOtherProcessesClaimAThousandNewWorkerIdsFirst() {
		AtomicLong next = new AtomicLong();
		this.meanwhile = () -> this.records.put(next.getAndIncrement(), lease("b", NOW + 10_000), null);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(() -> start("a:1"));
		assertThat(this.calls).filteredOn("newWorkerId"::equals).hasSize(1000);
	}

	@Test
	void aStoreThatAssignsNoNumberAlthoughNoneIsHeldIsReported() {
		this.numbersAreUsedUp = true;
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(() -> start("a:1"))
			.withMessageContainingAll("leaf.name=orders", "no lease records", "worker-bits");
	}

	@Test
	void aLeaseRecordThatIsClaimedAfterItWasReadIsNotChanged() {
		this.records.put(5, lease(Lease.NO_OWNER, NOW - 1), null);
		Lease taken = lease("b", NOW + 10_000);
		this.meanwhile = () -> {
			this.meanwhile = () -> {
			};
			this.records.put(5, taken, null);
		};
		assertThat(start("a:1").status().workerIds()).containsExactly(0L);
		assertThat(this.records.read(5).lease()).isEqualTo(taken);
		assertThat(this.calls).containsExactly("open", "currentTime", "readAll", "write", "newWorkerId", "write");
	}

}
