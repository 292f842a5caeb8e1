// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the store in one tree with servers of Meituan's Leaf.
 */
class MeituanLeafTests {

	private static final long NOW = System.currentTimeMillis();

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private static Lease held(String owner, long horizon) {
		return TestLeases.lease(owner, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	private static long claimNew(WorkerLeaseStore store) {
		long workerId = store.newWorkerId(Set.of()).orElseThrow();
		assertThat(store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
		return workerId;
	}

	@Test
	void aLeafServerStartsInATreeOfTheStarter() throws Exception {
		assertThat(claimNew(this.zooKeeper.open("my-host", "8080"))).isEqualTo(1);
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		leaf.start();
		leaf.report();
		assertThat(leaf.workerId()).isEqualTo(2);
		assertThat(leaf.node()).isEqualTo(this.zooKeeper.path("forever/10.0.0.9:8080-0000000002"));
	}

	@Test
	void aLeafServerStartsInATreeThatTheStarterHasOnlyOpened() throws Exception {
		this.zooKeeper.open("10.0.0.1", "8080").close();
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		leaf.start();
		assertThat(leaf.workerId()).isZero();
		assertThat(leaf.node()).endsWith("-0000000000");
	}

	@Test
	void theStarterStartsInATreeOfALeafServer() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8686");
		leaf.start();
		assertThat(leaf.workerId()).isZero();
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.open("10.0.0.21", "8686");
		assertThat(claimNew(store)).isEqualTo(1);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.21:8686.s-0000000001",
				"10.0.0.9:8686-0000000000");
		leaf.report();
		assertThat(store.readAll()).extracting(LeaseRecord::workerId).containsExactly(0L, 1L);
	}

	@Test
	void theNodeOfALeafServerIsNeverClaimed() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		// the server has not reported for years
		leaf.clock(() -> 1L);
		leaf.start();
		leaf.report();
		String content = this.zooKeeper.content("forever/10.0.0.9:8080-0000000000");
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.open("10.0.0.1", "8080");
		assertThat(store.readAll()).singleElement()
			.satisfies((record) -> assertThat(record.blockedBy()).contains("servers of Meituan's Leaf"));
		assertThat(store.read(0)).isNull();
		assertThat(store.write(0, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isFalse();
		assertThat(this.zooKeeper.content("forever/10.0.0.9:8080-0000000000")).isEqualTo(content);
		assertThat(this.zooKeeper.children("leases")).isEmpty();
	}

	@Test
	void theLabelOfALeafServerIsNeverUsed() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.1", "8080");
		leaf.start();
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.open("10.0.0.1", "8080");
		assertThat(claimNew(store)).isEqualTo(1);
		assertThat(claimNew(store)).isEqualTo(2);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080-0000000000",
				"10.0.0.1:8080.s-0000000001", "10.0.0.1:8080.s-0000000002");
		MeituanLeafSnowflake restarted = this.zooKeeper.leaf("10.0.0.1", "8080");
		restarted.start();
		assertThat(restarted.workerId()).isZero();
	}

	@Test
	void theLabelIsTheSameAfterARestart() throws Exception {
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.open("10.0.0.1", "8080");
		claimNew(store);
		store.close();
		claimNew(this.zooKeeper.open("10.0.0.1", "8080"));
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000001",
				"10.0.0.1:8080.s-0000000002");
	}

	@Test
	void theClockOfALeafServerIsKnownFromItsReport() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		leaf.clock(() -> NOW + 7);
		leaf.start();
		leaf.report();
		LeaseRecord member = this.zooKeeper.open("10.0.0.1", "8080").readAll().get(0);
		assertThat(member.lease().reported()).isEqualTo(NOW + 7);
		assertThat(member.storedAt()).isNotNull();
		assertThat(member.lease().host()).isEqualTo("10.0.0.9:8080");
	}

	@Test
	void numberZeroBelongsToTheFirstLeafServerIfTheStarterCreatesTheTreeMeanwhile() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		// the server has found no tree, and the starter creates one before the server
		// does
		leaf.startAfterSeeingNoTree(() -> claimNew(this.zooKeeper.open("10.0.0.1", "8080")));
		assertThat(leaf.workerId()).isZero();
		assertThat(this.zooKeeper.open("10.0.0.2", "8080").readAll()).extracting(LeaseRecord::workerId)
			.doesNotContain(0L);
	}

	@Test
	void aNewLeafServerAtAnAddressThatTheStarterHadGetsItsOwnNumber() throws Exception {
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.open("10.0.0.1", "8080");
		assertThat(claimNew(store)).isEqualTo(1);
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.1", "8080");
		leaf.start();
		leaf.report();
		assertThat(leaf.workerId()).isEqualTo(2);
		assertThat(store.read(1).blockedBy()).isNull();
		assertThat(claimNew(store)).isEqualTo(3);
	}

	@Test
	void eightProcessesStartAtOnceAlongsideALeafServer() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		leaf.start();
		int processes = 8;
		CyclicBarrier start = new CyclicBarrier(processes + 1);
		ExecutorService threads = Executors.newFixedThreadPool(processes + 1);
		Set<Long> workerIds = new TreeSet<>();
		try {
			List<Future<Long>> all = new ArrayList<>();
			for (int i = 0; i < processes; i++) {
				// two processes of each label
				ZooKeeperWorkerLeaseStore process = this.zooKeeper.store("10.0.0." + i / 2, "8080");
				Callable<Long> claim = () -> {
					start.await();
					process.open(SnowflakeLayout.LEAF);
					return claimNew(process);
				};
				all.add(threads.submit(claim));
			}
			MeituanLeafSnowflake second = this.zooKeeper.leaf("10.0.0.10", "8080");
			Callable<Long> startSecond = () -> {
				start.await();
				second.start();
				second.report();
				return (long) second.workerId();
			};
			all.add(threads.submit(startSecond));
			for (Future<Long> one : all) {
				assertThat(workerIds.add(one.get())).isTrue();
			}
			leaf.report();
			workerIds.remove((long) second.workerId());
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(workerIds).hasSize(processes).doesNotContain((long) leaf.workerId());
		assertThat(this.zooKeeper.open("10.0.0.1", "8080").readAll()).filteredOn((one) -> one.blockedBy() == null)
			.extracting(LeaseRecord::workerId)
			.containsExactlyElementsOf(workerIds);
		assertThat(this.zooKeeper.children("forever")).hasSize(processes + 2)
			.allSatisfy((name) -> assertThat(name).matches(".*:8080(\\.s)?-\\d{10}"));
		MeituanLeafSnowflake third = this.zooKeeper.leaf("10.0.0.11", "8080");
		third.start();
		assertThat(third.workerId()).isEqualTo(processes + 2);
	}

}
