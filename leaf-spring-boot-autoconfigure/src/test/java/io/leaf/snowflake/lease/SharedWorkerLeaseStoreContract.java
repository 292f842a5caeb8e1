// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.leaf.snowflake.SnowflakeLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of a {@link WorkerLeaseStore} that several processes share.
 */
public abstract class SharedWorkerLeaseStoreContract extends WorkerLeaseStoreContract {

	/**
	 * Returns the store of another process on another host with the same lease records.
	 * It is not yet open. The test class closes it.
	 * @param number the number of the process, 2 or more
	 */
	protected abstract WorkerLeaseStore createStoreOfAnotherProcess(int number);

	private WorkerLeaseStore another(int number) {
		WorkerLeaseStore another = createStoreOfAnotherProcess(number);
		another.open(LAYOUT);
		return another;
	}

	@Test
	void oneProcessReadsTheWritesOfTheOther() {
		long workerId = create(held("a", NOW + 10));
		LeaseRecord record = another(2).read(workerId);
		assertThat(record.lease()).isEqualTo(held("a", NOW + 10));
	}

	@Test
	void onlyOneOfTwoProcessesThatReadTheSameVersionWrites() {
		long workerId = create(held(Lease.NO_OWNER, NOW - 10));
		WorkerLeaseStore other = another(2);
		long version = other.read(workerId).version();
		assertThat(this.store.read(workerId).version()).isEqualTo(version);
		assertThat(this.store.write(workerId, version, held("a", NOW + 10))).isTrue();
		assertThat(other.write(workerId, version, held("b", NOW + 20))).isFalse();
		assertThat(other.read(workerId).lease().owner()).isEqualTo("a");
	}

	@Test
	void aHolderThatWasReplacedCannotWrite() {
		long workerId = create(held("a", NOW - 10));
		long version = this.store.read(workerId).version();
		WorkerLeaseStore other = another(2);
		assertThat(other.write(workerId, other.read(workerId).version(), held("b", NOW + 20))).isTrue();
		assertThat(this.store.write(workerId, version, held("a", NOW + 30))).isFalse();
		assertThat(this.store.write(workerId, version, held(Lease.NO_OWNER, NOW))).isFalse();
	}

	@Test
	void processesThatStartAtOnceOnAnEmptyStoreGetDifferentWorkerIds() throws Exception {
		int processes = 8;
		Set<Long> workerIds = new ConcurrentSkipListSet<>();
		CyclicBarrier start = new CyclicBarrier(processes);
		ExecutorService threads = Executors.newFixedThreadPool(processes);
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < processes; i++) {
				WorkerLeaseStore process = createStoreOfAnotherProcess(i + 2);
				Callable<Boolean> claim = () -> {
					start.await();
					process.open(LAYOUT);
					return workerIds.add(claimNew(process));
				};
				all.add(threads.submit(claim));
			}
			for (Future<?> one : all) {
				assertThat(one.get()).isEqualTo(true);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactlyElementsOf(workerIds);
	}

	private static long claimNew(WorkerLeaseStore process) {
		String owner = "owner-" + System.identityHashCode(process);
		while (true) {
			long workerId = process.newWorkerId(Set.of()).orElseThrow();
			if (process.write(workerId, WorkerLeaseStore.ABSENT, held(owner, NOW + 10))) {
				return workerId;
			}
		}
	}

	@Test
	void newWorkerId_isEmptyWhenAllAreTaken() {
		SnowflakeLayout small = new SnowflakeLayout(41, 2, 12, LAYOUT.unit(), LAYOUT.epoch());
		WorkerLeaseStore process = createStoreOfAnEmptyApplication();
		process.open(small);
		Set<Long> created = new HashSet<>();
		for (long i = process.firstWorkerId(); i < 4; i++) {
			long workerId = process.newWorkerId(Set.of()).orElseThrow();
			assertThat(process.write(workerId, WorkerLeaseStore.ABSENT, held("o" + i, NOW + 10))).isTrue();
			created.add(workerId);
		}
		assertThat(process.newWorkerId(Set.of())).isEqualTo(OptionalLong.empty());
		assertThat(process.readAll()).extracting(LeaseRecord::workerId).containsExactlyInAnyOrderElementsOf(created);
	}

	@Test
	void newWorkerId_isNotAnExceptedOne() {
		SnowflakeLayout small = new SnowflakeLayout(41, 2, 12, LAYOUT.unit(), LAYOUT.epoch());
		WorkerLeaseStore process = createStoreOfAnEmptyApplication();
		process.open(small);
		Set<Long> except = new HashSet<>();
		for (long i = process.firstWorkerId(); i < 4; i++) {
			assertThat(except.add(process.newWorkerId(except).orElseThrow())).isTrue();
		}
		assertThat(process.newWorkerId(except)).isEmpty();
		long workerId = process.newWorkerId(Set.of()).orElseThrow();
		assertThat(process.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
	}

	/**
	 * Returns a store of the same kind for another {@code leaf.name}, without lease
	 * records.
	 */
	protected abstract WorkerLeaseStore createStoreOfAnEmptyApplication();

	@Test
	void leaseRecordsOfAnotherApplicationAreNotSeen() {
		WorkerLeaseStore process = createStoreOfAnEmptyApplication();
		process.open(SnowflakeLayout.JS_SAFE);
		create(held("a", NOW + 10));
		assertThat(process.readAll()).isEmpty();
	}

	@Test
	void theStoreReturnsItsTimeAndWhenALeaseRecordWasWritten() {
		long before = this.store.currentTime().orElseThrow();
		long workerId = create(held("a", NOW + 10));
		long after = this.store.currentTime().orElseThrow();
		assertThat(this.store.read(workerId).storedAt()).isBetween(before, after);
	}

}
