// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.zookeeper.WorkerIds.ForeverNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.claimNew;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests the nodes below {@code forever}, which servers of Meituan's Leaf read.
 */
class ForeverNodesTests {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperWorkerLeaseStore store;

	@BeforeEach
	void open() {
		this.store = this.zooKeeper.open("10.0.0.1", "8080");
	}

	private static Lease released(long horizon) {
		return TestLeases.lease(Lease.NO_OWNER, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	private static long claimAsAProcessDoes(WorkerLeaseStore store) {
		while (true) {
			long workerId = store.newWorkerId(Set.of()).orElseThrow();
			if (store.write(workerId, WorkerLeaseStore.ABSENT, held("another", NOW + 10))) {
				return workerId;
			}
		}
	}

	@Test
	void theContentHasTheFieldsThatALeafServerReadsAndNoOther() throws Exception {
		claimNew(this.store);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000001");
		assertThat(this.zooKeeper.content("forever/10.0.0.1:8080.s-0000000001"))
			.isEqualTo("{\"ip\":\"10.0.0.1\",\"port\":\"8080\",\"timestamp\":1795000000000}");
	}

	@Test
	void theLeaseRecordIsASmallObject() throws Exception {
		claimNew(this.store);
		assertThat(this.zooKeeper.content("leases/1")).isEqualTo(
				"{\"owner\":\"a\",\"horizon\":1795000000010,\"host\":\"10.0.0.1:8080\",\"since\":1795000000000,\"reported\":1795000000000,\"version\":%d}"
					.formatted(held("a", NOW + 10).version()));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			my-pod-0.orders      | 8080   | my_pod_0.orders:8080.s-0000000001
			fe80::1%eth-0        | 8080   | fe80::1:8080.s-0000000001
			2001:db8::7          | 8080   | 2001:db8::7:8080.s-0000000001
			a/b c\u00e9\u4e2d-   | -1/x   | a_b_c___:_1_x.s-0000000001
			''                   | 8080   | :8080.s-0000000001
			""")
	void aNodeNameContainsOneDash(String host, String port, String name) throws Exception {
		String other = ZooKeeperExtension.newName();
		ZooKeeperWorkerLeaseStore process = this.zooKeeper
			.closing(ZooKeeperWorkerLeaseStore.connectingTo(this.zooKeeper.settings(), other, host, port));
		process.open(SnowflakeLayout.LEAF);
		claimNew(process);
		assertThat(this.zooKeeper.client().getChildren().forPath("/snowflake/" + other + "/forever"))
			.containsExactly(name);
		assertThat(name.split("-")).hasSize(2);
	}

	@Test
	void theWorkerIdIsTheNumberInTheName() throws Exception {
		// these nodes are deleted at once, so that the tree looks new, but its numbers do
		// not start from 0
		for (int i = 0; i < 3; i++) {
			this.zooKeeper.write("forever/x-" + i, "");
			this.zooKeeper.delete("forever/x-" + i);
		}
		assertThat(claimNew(this.store)).isEqualTo(3);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000003");
	}

	@Test
	void aVersionIsNotReusedWhenTheLeaseRecordIsDeletedAndCreatedAgain() throws Exception {
		long workerId = claimNew(this.store);
		long version = this.store.read(workerId).version();
		String content = this.zooKeeper.content("leases/1");
		assertThat(this.store.write(workerId, version, held("a", NOW + 20))).isTrue();
		this.zooKeeper.delete("leases/1");
		this.zooKeeper.write("leases/1", content.replace("\"version\":", "\"version\":1"));
		assertThat(this.zooKeeper.stat("leases/1").getVersion()).isZero();
		assertThat(this.store.write(workerId, version, held("a", NOW + 30))).isFalse();
	}

	@Test
	void claimsAndReleasesUseUpNoNumbers() throws Exception {
		int processes = 3;
		List<ZooKeeperWorkerLeaseStore> stores = new ArrayList<>();
		for (int i = 0; i < processes; i++) {
			stores.add(this.zooKeeper.open("10.0.1." + i, "8080"));
		}
		claimNew(stores.get(0));
		int cversion = this.zooKeeper.stat("forever").getCversion();
		long version = stores.get(0).read(1).version();
		for (int i = 0; i < 300; i++) {
			Lease released = released(NOW + i);
			Lease held = held("o" + i, NOW + i);
			assertThat(stores.get(i % processes).write(1, version, released)).isTrue();
			assertThat(stores.get((i + 1) % processes).write(1, released.version(), held)).isTrue();
			version = held.version();
		}
		assertThat(this.zooKeeper.children("forever")).hasSize(1);
		assertThat(this.zooKeeper.stat("forever").getCversion()).isEqualTo(cversion);
	}

	@Test
	void aNumberThatWasNotUsedIsOfferedAgain() throws Exception {
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		assertThat(this.store.newWorkerId(Set.of())).hasValue(workerId);
		assertThat(this.store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
		assertThat(this.store.newWorkerId(Set.of())).hasValue(workerId + 1);
		assertThat(this.zooKeeper.children("forever")).hasSize(2);
	}

	@Test
	void aNumberThatItsCreatorNeverUsedIsTakenWhenTheLayoutHasNoOther() throws Exception {
		SnowflakeLayout small = new SnowflakeLayout(41, 2, 12, SnowflakeLayout.Unit.MILLISECONDS, Instant.EPOCH);
		String other = ZooKeeperExtension.newName();
		for (int i = 1; i <= 3; i++) {
			ZooKeeperWorkerLeaseStore killed = this.zooKeeper
				.closing(ZooKeeperWorkerLeaseStore.connectingTo(this.zooKeeper.settings(), other, "h", "" + i));
			killed.open(small);
			killed.readAll();
			assertThat(killed.newWorkerId(Set.of())).hasValue(i);
		}
		ZooKeeperWorkerLeaseStore process = this.zooKeeper
			.closing(ZooKeeperWorkerLeaseStore.connectingTo(this.zooKeeper.settings(), other, "h", "9"));
		process.open(small);
		process.readAll();
		assertThat(List.of(claimNew(process), claimNew(process), claimNew(process))).containsExactlyInAnyOrder(1L, 2L,
				3L);
		assertThat(process.newWorkerId(Set.of())).isEmpty();
	}

	@Test
	void aNumberWhoseLeaseRecordWasDeletedIsNotAssignedAgainUntilAnOperatorAllowsIt() throws Exception {
		long workerId = claimNew(this.store);
		this.zooKeeper.delete("leases/1");
		ZooKeeperWorkerLeaseStore other = this.zooKeeper.open("10.0.0.2", "8080");
		assertThat(other.readAll()).singleElement()
			.satisfies((record) -> assertThat(record.blockedBy()).contains(this.zooKeeper.path("leases/1"),
					"was deleted", "{\"owner\":\"\",\"horizon\":H}"));
		this.zooKeeper.write("leases/1", "{\"owner\":\"\",\"horizon\":7}");
		assertThat(other.readAll()).singleElement().extracting(LeaseRecord::blockedBy).isNull();
		assertThat(other.write(workerId, 0, held("b", NOW + 20))).isTrue();
	}

	@Test
	void numberZeroIsReservedForTheFirstLeafServer() throws Exception {
		assertThat(claimNew(this.store)).isEqualTo(1);
		this.zooKeeper.write("leases/0", "{\"owner\":\"\",\"horizon\":7}");
		assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(1L);
	}

	@Test
	void aNumberWhoseNodeWasDeletedIsNotOfferedAgain() throws Exception {
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		this.zooKeeper.delete("forever/10.0.0.1:8080.s-0000000001");
		assertThat(this.store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isFalse();
		assertThat(this.store.newWorkerId(Set.of())).hasValue(2);
	}

	@Test
	void aNumberThatWasNotOfferedCannotBeClaimed() throws Exception {
		assertThat(this.store.write(0, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isFalse();
		assertThat(this.zooKeeper.children("leases")).isEmpty();
	}

	@Test
	void aNumberBeyondTheLayoutIsRemovedAndNoOtherIsDrawn() throws Exception {
		String other = ZooKeeperExtension.newName();
		SnowflakeLayout small = new SnowflakeLayout(41, 1, 12, SnowflakeLayout.Unit.MILLISECONDS, Instant.EPOCH);
		ZooKeeperWorkerLeaseStore process = this.zooKeeper
			.closing(ZooKeeperWorkerLeaseStore.connectingTo(this.zooKeeper.settings(), other, "h", "1"));
		process.open(small);
		claimNew(process);
		assertThat(process.newWorkerId(Set.of())).isEmpty();
		process.readAll();
		String forever = "/snowflake/" + other + "/forever";
		int cversion = this.zooKeeper.client().checkExists().forPath(forever).getCversion();
		assertThat(process.newWorkerId(Set.of())).isEmpty();
		assertThat(this.zooKeeper.client().checkExists().forPath(forever).getCversion()).isEqualTo(cversion);
		assertThat(this.zooKeeper.client().getChildren().forPath(forever)).hasSize(1);
	}

	@Test
	void aHolderContinuesAlthoughItsNodeWasDeleted() throws Exception {
		long workerId = claimNew(this.store);
		long version = this.store.read(workerId).version();
		this.zooKeeper.delete("forever/10.0.0.1:8080.s-0000000001");
		assertThat(this.store.write(workerId, version, held("a", NOW + 20))).isTrue();
	}

	@Test
	void ifNumbersStartFromZeroAgainThoseWithALeaseStayReserved() throws Exception {
		claimNew(this.store);
		claimNew(this.store);
		long version = this.store.read(1).version();
		this.zooKeeper.delete("forever");
		ZooKeeperWorkerLeaseStore other = this.zooKeeper.open("10.0.0.2", "8080");
		assertThat(other.readAll()).extracting(LeaseRecord::blockedBy)
			.allSatisfy((reason) -> assertThat(reason).contains(this.zooKeeper.path("forever"),
					"assigns numbers from 0 again"));
		// new claims advance the numbers past those with a lease
		assertThat(claimAsAProcessDoes(other)).isEqualTo(3);
		assertThat(other.readAll()).extracting(LeaseRecord::blockedBy).containsOnlyNulls();
		assertThat(this.store.write(1, version, held("a", NOW + 20))).isTrue();
	}

	@Test
	void aNumberThatALeafServerAlsoHasIsBlocked() throws Exception {
		claimNew(this.store);
		this.zooKeeper.write("forever/10.0.0.9:1-0000000001", "{\"ip\":\"\",\"port\":\"\",\"timestamp\":1}");
		assertThat(this.store.readAll()).singleElement()
			.satisfies((record) -> assertThat(record.blockedBy()).contains("10.0.0.9:1-0000000001"));
	}

	@Test
	void twoProcessesOfOneLabelGetTwoNumbers() throws Exception {
		ZooKeeperWorkerLeaseStore twin = this.zooKeeper.open("10.0.0.1", "8080");
		long first = this.store.newWorkerId(Set.of()).orElseThrow();
		long second = twin.newWorkerId(Set.of()).orElseThrow();
		assertThat(first).isNotEqualTo(second);
		assertThat(this.store.write(first, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
		assertThat(twin.write(second, WorkerLeaseStore.ABSENT, held("b", NOW + 10))).isTrue();
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000001",
				"10.0.0.1:8080.s-0000000002");
	}

	@Test
	void aReleaseKeepsTheTimeOfItsReportThoughItsHorizonIsEarlier() {
		long workerId = claimNew(this.store);
		// the last ID was issued long ago
		Lease release = TestLeases.lease(Lease.NO_OWNER, NOW - 7_200_000, "10.0.0.1:8080", NOW, NOW + 42);
		assertThat(this.store.write(workerId, this.store.read(workerId).version(), release)).isTrue();
		assertThat(this.store.read(workerId).lease()).isEqualTo(release);
	}

	@Test
	void fewProcessesThatRequestANumberAtOnceGetTheSameUnusedOne() throws Exception {
		Set<Long> offered = new HashSet<>();
		List<ForeverNode> unused = LongStream.rangeClosed(1, 1000)
			.mapToObj((number) -> new ForeverNode("a.s-" + number, "a.s", number))
			.toList();
		for (int process = 0; process < 100; process++) {
			WorkerIds workerIds = new WorkerIds("/snowflake/orders/forever", "10.0.0.1", "8080");
			workerIds.seen(2000, unused);
			offered.add(workerIds.next(mock(ZooKeeperRequests.class), 1023, Set.of()).orElseThrow());
		}
		assertThat(offered).hasSizeGreaterThan(80);
	}

}
