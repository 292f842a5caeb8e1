/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.snowflake.lease.zookeeper;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the store does below {@code forever}, which deployed Leaf servers read.
 */
class ForeverNodesTests {

	private static final long NOW = 1_795_000_000_000L;

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperWorkerLeaseStore store;

	@BeforeEach
	void open() {
		this.store = open("10.0.0.1", "8080");
	}

	private ZooKeeperWorkerLeaseStore open(String host, String port) {
		ZooKeeperWorkerLeaseStore another = this.zooKeeper.store(host, port);
		another.open(SnowflakeLayout.LEAF);
		return another;
	}

	private static WorkerLease held(String owner, long horizon) {
		return new WorkerLease(owner, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	private static WorkerLease released(long horizon) {
		return new WorkerLease(WorkerLease.NOBODY, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	private static long claimNew(WorkerLeaseStore store) {
		long workerId = store.newWorkerId().orElseThrow();
		store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10)).orElseThrow();
		return workerId;
	}

	@Test
	void theContentIsWhatALeafServerReadsAndNothingElse() throws Exception {
		claimNew(this.store);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000000");
		assertThat(this.zooKeeper.content("forever/10.0.0.1:8080.s-0000000000"))
			.isEqualTo("{\"ip\":\"10.0.0.1\",\"port\":\"8080\",\"timestamp\":1795000000000}");
	}

	@Test
	void theLeaseIsASmallObject() throws Exception {
		claimNew(this.store);
		assertThat(this.zooKeeper.content("leases/0")).isEqualTo(
				"{\"owner\":\"a\",\"horizon\":1795000000010,\"host\":\"10.0.0.1:8080\",\"since\":1795000000000}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			my-pod-0.orders      | 8080   | my_pod_0.orders:8080.s-0000000000
			fe80::1%eth-0        | 8080   | fe80::1:8080.s-0000000000
			2001:db8::7          | 8080   | 2001:db8::7:8080.s-0000000000
			a/b c\u00e9\u4e2d-   | -1/x   | a_b_c___:_1_x.s-0000000000
			''                   | 8080   | :8080.s-0000000000
			""")
	void aNameHoldsOneDash(String host, String port, String name) throws Exception {
		String other = ZooKeeperExtension.newName();
		ZooKeeperWorkerLeaseStore process = this.zooKeeper
			.closing(ZooKeeperWorkerLeaseStore.connectingTo(this.zooKeeper.settings(), other, host, port));
		process.open(SnowflakeLayout.LEAF);
		claimNew(process);
		assertThat(this.zooKeeper.client().getChildren().forPath("/snowflake/" + other + "/forever"))
			.containsExactly(name);
		assertThat(this.zooKeeper.client().getChildren().forPath("/snowflake/" + other + "/temporary")).singleElement()
			.asString()
			.matches("[^-]+-0");
		assertThat(process.readAll()).singleElement().extracting(LeaseRegister::live).isEqualTo(true);
		assertThat(name.split("-")).hasSize(2);
	}

	@Test
	void theWorkerIdIsTheNumberInTheName() throws Exception {
		// used and deleted before, so that the tree looks fresh and does not count from 0
		for (int i = 0; i < 3; i++) {
			this.zooKeeper.write("forever/x-" + i, "");
			this.zooKeeper.delete("forever/x-" + i);
		}
		assertThat(claimNew(this.store)).isEqualTo(3);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000003");
	}

	@Test
	void leaseAndReportAreOneTransaction() throws Exception {
		long workerId = claimNew(this.store);
		assertSameTransaction();
		long version = this.store.read(workerId).version();
		version = this.store.write(workerId, version, held("a", NOW + 20)).orElseThrow();
		assertSameTransaction();
		this.store.write(workerId, version, released(NOW + 15)).orElseThrow();
		assertSameTransaction();
	}

	private void assertSameTransaction() throws Exception {
		assertThat(this.zooKeeper.stat("forever/10.0.0.1:8080.s-0000000000").getMzxid())
			.isEqualTo(this.zooKeeper.stat("leases/0").getMzxid());
	}

	@Test
	void aVersionDoesNotComeBackWhenTheLeaseIsDeletedAndCreatedAgain() throws Exception {
		long workerId = claimNew(this.store);
		long version = this.store.read(workerId).version();
		String content = this.zooKeeper.content("leases/0");
		this.zooKeeper.delete("leases/0");
		this.zooKeeper.write("leases/0", content);
		assertThat(this.zooKeeper.stat("leases/0").getVersion()).isZero();
		assertThat(this.store.write(workerId, version, held("a", NOW + 20))).isEmpty();
		assertThat(this.zooKeeper.content("leases/0")).isEqualTo(content);
	}

	@Test
	void whoeverClaimsANumberLeavesTheNameOfItsNode() throws Exception {
		long workerId = claimNew(this.store);
		long version = this.store.write(workerId, this.store.read(workerId).version(), released(NOW)).orElseThrow();
		ZooKeeperWorkerLeaseStore other = open("10.0.0.2", "8080");
		assertThat(other.read(workerId).version()).isEqualTo(version);
		other.write(workerId, version, held("b", NOW + 20)).orElseThrow();
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000000");
		assertThat(this.zooKeeper.content("forever/10.0.0.1:8080.s-0000000000"))
			.startsWith("{\"ip\":\"10.0.0.2\",\"port\":\"8080\",");
	}

	@Test
	void claimsAndReleasesUseUpNoNumbers() throws Exception {
		int processes = 3;
		List<ZooKeeperWorkerLeaseStore> stores = new ArrayList<>();
		for (int i = 0; i < processes; i++) {
			stores.add(open("10.0.1." + i, "8080"));
		}
		claimNew(stores.get(0));
		int cversion = this.zooKeeper.stat("forever").getCversion();
		long version = stores.get(0).read(0).version();
		for (int i = 0; i < 300; i++) {
			ZooKeeperWorkerLeaseStore process = stores.get(i % processes);
			version = process.write(0, version, released(NOW + i)).orElseThrow();
			version = stores.get((i + 1) % processes).write(0, version, held("o" + i, NOW + i)).orElseThrow();
		}
		assertThat(this.zooKeeper.children("forever")).hasSize(1);
		assertThat(this.zooKeeper.stat("forever").getCversion()).isEqualTo(cversion);
	}

	@Test
	void aNumberThatWasNotUsedIsOfferedAgain() throws Exception {
		long workerId = this.store.newWorkerId().orElseThrow();
		assertThat(this.store.newWorkerId()).hasValue(workerId);
		this.store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10)).orElseThrow();
		assertThat(this.store.newWorkerId()).hasValue(workerId + 1);
		assertThat(this.zooKeeper.children("forever")).hasSize(2);
	}

	@Test
	void aNumberThatWasNotUsedIsRemovedAtTheEnd() throws Exception {
		long workerId = claimNew(this.store);
		this.store.newWorkerId().orElseThrow();
		this.store.close();
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-000000000" + workerId);
	}

	@Test
	void aNumberWhoseNodeWasDeletedIsNotOfferedAgain() throws Exception {
		this.store.newWorkerId().orElseThrow();
		this.zooKeeper.delete("forever/10.0.0.1:8080.s-0000000000");
		assertThat(this.store.newWorkerId()).hasValue(1);
	}

	@Test
	void aNumberThatWasNotOfferedCannotBeClaimed() throws Exception {
		assertThat(this.store.write(0, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isEmpty();
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
		claimNew(process);
		String forever = "/snowflake/" + other + "/forever";
		int cversion = this.zooKeeper.client().checkExists().forPath(forever).getCversion();
		assertThat(process.newWorkerId()).isEmpty();
		assertThat(this.zooKeeper.client().checkExists().forPath(forever).getCversion()).isEqualTo(cversion);
		assertThat(this.zooKeeper.client().getChildren().forPath(forever)).hasSize(2);
	}

	@Test
	void aNodeThatWasDeletedIsCreatedAgainByTheNextReport() throws Exception {
		long workerId = claimNew(this.store);
		long version = this.store.read(workerId).version();
		this.zooKeeper.delete("forever/10.0.0.1:8080.s-0000000000");
		LeaseRegister register = this.store.read(workerId);
		assertThat(register.blockedBy()).isNull();
		assertThat(register.lease().reported()).isEqualTo(register.lease().since());
		ZooKeeperWorkerLeaseStore other = open("10.0.0.2", "8080");
		long next = other.write(workerId, version, held("b", NOW + 20)).orElseThrow();
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.2:8080.s-0000000000");
		assertThat(other.read(workerId)).extracting(LeaseRegister::version, LeaseRegister::blockedBy)
			.containsExactly(next, null);
	}

	@Test
	void aHolderGoesOnThoughItsNodeWasDeleted() throws Exception {
		long workerId = claimNew(this.store);
		long version = this.store.read(workerId).version();
		this.zooKeeper.delete("forever/10.0.0.1:8080.s-0000000000");
		assertThat(this.store.write(workerId, version, held("a", NOW + 20))).isPresent();
	}

	@Test
	void whereNumbersStartFromZeroAgainThoseWithALeaseRest() throws Exception {
		claimNew(this.store);
		claimNew(this.store);
		long version = this.store.read(1).version();
		this.zooKeeper.delete("forever");
		ZooKeeperWorkerLeaseStore other = open("10.0.0.2", "8080");
		assertThat(other.readAll()).extracting(LeaseRegister::blockedBy)
			.allSatisfy((reason) -> assertThat(reason).contains(this.zooKeeper.path("forever"), "counts from 0"));
		assertThat(this.store.write(1, version, held("a", NOW + 20))).isEmpty();
		// which takes the numbers past those with a lease
		assertThat(claimNew(other)).isEqualTo(2);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.2:8080.s-0000000002");
		assertThat(other.readAll()).extracting(LeaseRegister::blockedBy).containsOnlyNulls();
		assertThat(this.store.write(1, version, held("a", NOW + 20))).isPresent();
	}

	@Test
	void twoNodesOfOneNumberBlockIt() throws Exception {
		claimNew(this.store);
		long version = this.store.read(0).version();
		this.zooKeeper.write("forever/10.0.0.9:1-0000000000", "{\"ip\":\"\",\"port\":\"\",\"timestamp\":1}");
		assertThat(this.store.read(0).blockedBy()).contains("10.0.0.9:1-0000000000", "10.0.0.1:8080.s-0000000000");
		assertThat(open("10.0.0.2", "8080").write(0, version, held("b", NOW + 20))).isEmpty();
	}

	@Test
	void twoProcessesOfOneLabelGetTwoNumbers() throws Exception {
		ZooKeeperWorkerLeaseStore twin = open("10.0.0.1", "8080");
		long first = this.store.newWorkerId().orElseThrow();
		long second = twin.newWorkerId().orElseThrow();
		assertThat(first).isNotEqualTo(second);
		this.store.write(first, WorkerLeaseStore.ABSENT, held("a", NOW + 10)).orElseThrow();
		twin.write(second, WorkerLeaseStore.ABSENT, held("b", NOW + 10)).orElseThrow();
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000000",
				"10.0.0.1:8080.s-0000000001");
		assertThat(this.store.readAll()).extracting(LeaseRegister::live).containsExactly(true, true);
		twin.close();
		assertThat(this.store.readAll()).extracting(LeaseRegister::live).containsExactly(true, false);
	}

	@Test
	void theTimesAreThoseOfTheReport() {
		long before = this.store.currentTime().orElseThrow();
		long workerId = claimNew(this.store);
		WorkerLease later = new WorkerLease("a", NOW + 99, "10.0.0.1:8080", NOW, NOW + 42);
		this.store.write(workerId, this.store.read(workerId).version(), later).orElseThrow();
		LeaseRegister register = this.store.read(workerId);
		assertThat(register.lease()).isEqualTo(later);
		assertThat(register.storedAt()).isBetween(before, this.store.currentTime().orElseThrow());
	}

	@Test
	void aReleaseKeepsTheTimeOfItsReportThoughItsHorizonIsEarlier() {
		long workerId = claimNew(this.store);
		// the last ID was issued long ago
		WorkerLease release = new WorkerLease(WorkerLease.NOBODY, NOW - 7_200_000, "10.0.0.1:8080", NOW, NOW + 42);
		this.store.write(workerId, this.store.read(workerId).version(), release).orElseThrow();
		assertThat(this.store.read(workerId).lease()).isEqualTo(release);
	}

}
