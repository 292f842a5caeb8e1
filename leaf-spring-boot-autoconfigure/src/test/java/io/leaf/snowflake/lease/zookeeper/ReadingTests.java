// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.claimNew;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the requests that read lease records.
 */
class ReadingTests {

	private static final Logger log = LoggerFactory.getLogger(ReadingTests.class);

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperProxy network;

	private ZooKeeperWorkerLeaseStore store;

	@BeforeEach
	void open() throws IOException {
		this.network = this.zooKeeper.closing(new ZooKeeperProxy(this.zooKeeper.port()));
		this.store = this.zooKeeper.store(ZooKeeperExtension.settings(this.network.connectString()), "10.0.0.1",
				"8080");
		this.store.open(SnowflakeLayout.LEAF);
	}

	@Test
	void aServerThatLagsBehindCatchesUpBeforeARead() {
		long workerId = claimNew(this.store);
		this.network.requests();
		this.store.read(workerId);
		assertThat(this.network.requests()).containsExactly(OpCode.sync, OpCode.getData);
		this.store.readAll();
		assertThat(this.network.requests()).containsExactly(OpCode.multiRead, OpCode.multiRead);
	}

	@Test
	void aReportIsOneRequest() {
		long workerId = claimNew(this.store);
		this.network.requests();
		assertThat(this.store.write(workerId, held("a", NOW + 10).version(), held("a", NOW + 20))).isTrue();
		assertThat(this.network.requests()).containsExactly(OpCode.multi);
	}

	@Test
	void aRestartTakesFourRequests() {
		ZooKeeperWorkerLeaseStore before = this.zooKeeper.open("10.0.0.1", "8080");
		long workerId = before.newWorkerId(Set.of()).orElseThrow();
		assertThat(before.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW))).isTrue();
		before.close();
		ZooKeeperWorkerLeaseStore after = this.zooKeeper
			.store(ZooKeeperExtension.settings(this.network.connectString()), "10.0.0.1", "8080");
		this.network.requests();
		after.open(SnowflakeLayout.LEAF);
		// four folders and the layout
		assertThat(this.network.requests()).containsExactly(OpCode.multiRead);
		LeaseRecord record = after.readAll().get(0);
		// the lists, then the lease records
		assertThat(this.network.requests()).containsExactly(OpCode.multiRead, OpCode.multiRead);
		assertThat(after.write(workerId, record.version(), held("a", NOW + 10))).isTrue();
		assertThat(this.network.requests()).containsExactly(OpCode.multi);
	}

	@Test
	void afterALostConnectionManyNodesAreReadInOneRequestAgain() throws Exception {
		fill(100);
		this.network.loseAnswerTo(OpCode.multiRead);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(this.store::readAll);
		await().ignoreExceptions().until(() -> this.store.readAll().size() == 100);
		this.network.requests();
		this.store.readAll();
		assertThat(this.network.requests()).containsExactly(OpCode.multiRead, OpCode.multiRead);
	}

	@Test
	void aClientOfTheApplicationReadsOneNodeAtATime() throws Exception {
		fill(3);
		CuratorFramework client = this.zooKeeper.startClient(this.network.connectString());
		ZooKeeperWorkerLeaseStore process = this.zooKeeper.store(client, "10.0.0.2");
		process.open(SnowflakeLayout.LEAF);
		assertThat(process.readAll()).isEqualTo(this.store.readAll());
		this.network.requests();
		process.readAll();
		assertThat(this.network.requests()).doesNotContain(OpCode.multiRead);
	}

	@Test
	void aConnectionThatIsLostWithoutAListingIsReportedWithoutAdviceToDeleteNodes() {
		CuratorFramework client = this.zooKeeper.startClient(this.network.connectString());
		ZooKeeperWorkerLeaseStore process = this.zooKeeper.store(client, "10.0.0.2");
		this.network.loseAnswerTo(OpCode.getData);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> process.open(SnowflakeLayout.LEAF))
			.withMessageStartingWith("Cannot reach ZooKeeper at ")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("delete"));
	}

	@Test
	void concurrentWritesOfOthersAreNotAttributedToALeafServer() throws Exception {
		ZooKeeperWorkerLeaseStore other = this.zooKeeper.open("10.0.0.2", "8080");
		long first = other.newWorkerId(Set.of()).orElseThrow();
		assertThat(other.write(first, WorkerLeaseStore.ABSENT, held("a", NOW))).isTrue();
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Void> reports = CompletableFuture.runAsync(() -> {
			for (int i = 1; i <= 200; i++) {
				assertThat(other.write(first, held("a", NOW + i - 1).version(), held("a", NOW + i))).isTrue();
				if (i % 4 == 0) {
					assertThat(other.write(other.newWorkerId(Set.of()).orElseThrow(), WorkerLeaseStore.ABSENT,
							held("a", NOW)))
						.isTrue();
				}
			}
		}).whenComplete((nothing, failure) -> done.set(true));
		while (!done.get()) {
			assertThat(this.store.readAll()).isNotEmpty().extracting(LeaseRecord::blockedBy).containsOnlyNulls();
			assertThat(this.store.read(first).blockedBy()).isNull();
		}
		reports.get();
		assertThat(this.store.readAll()).hasSize(51);
		assertThat(this.store.read(first).lease().horizon()).isEqualTo(NOW + 200);
	}

	@Test
	void aThousandLeaseRecordsAreReadInAFewRoundTrips() throws Exception {
		int count = 1023;
		fill(count);
		long start = System.nanoTime();
		assertThat(this.store.readAll()).hasSize(count).extracting(LeaseRecord::blockedBy).containsOnlyNulls();
		Duration direct = Duration.ofNanos(System.nanoTime() - start);
		this.network.latency(Duration.ofMillis(50));
		start = System.nanoTime();
		assertThat(this.store.readAll()).hasSize(count);
		Duration slow = Duration.ofNanos(System.nanoTime() - start);
		log.info("{} lease records were read in {} ms, and with 50 ms for a round trip in {} ms", count,
				direct.toMillis(), slow.toMillis());
		// one request at a time would take 100 s
		assertThat(slow).isLessThan(Duration.ofSeconds(10));
	}

	private void fill(int count) throws Exception {
		List<CuratorOp> operations = new ArrayList<>();
		for (int i = 1; i <= count; i++) {
			operations.add(this.zooKeeper.client()
				.transactionOp()
				.create()
				.forPath(this.zooKeeper.path("leases/" + i),
						"{\"owner\":\"\",\"horizon\":1}".getBytes(StandardCharsets.UTF_8)));
			operations.add(this.zooKeeper.client()
				.transactionOp()
				.create()
				.forPath(this.zooKeeper.path(String.format("forever/10.0.0.1:8080.s-%010d", i)),
						"{\"ip\":\"10.0.0.1\",\"port\":\"8080\",\"timestamp\":1}".getBytes(StandardCharsets.UTF_8)));
		}
		this.zooKeeper.client().transaction().forOperations(operations);
	}

}
