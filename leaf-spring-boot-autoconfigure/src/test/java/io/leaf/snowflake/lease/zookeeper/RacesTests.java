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

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What others do between two requests of ours.
 */
class RacesTests {

	private static final long NOW = 1_795_000_000_000L;

	private static final String NODE = "forever/10.0.0.1:8080.s-0000000000";

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperProxy network;

	private ZooKeeperWorkerLeaseStore store;

	private ZooKeeperWorkerLeaseStore other;

	private long version;

	@BeforeEach
	void claim() throws IOException {
		this.network = this.zooKeeper.closing(new ZooKeeperProxy(this.zooKeeper.port()));
		this.store = this.zooKeeper.store(ZooKeeperExtension.settings(this.network.connectString()), "10.0.0.1",
				"8080");
		this.store.open(SnowflakeLayout.LEAF);
		this.other = this.zooKeeper.store("10.0.0.2", "8080");
		this.other.open(SnowflakeLayout.LEAF);
		this.version = claimNew(this.store);
	}

	private static long claimNew(WorkerLeaseStore store) {
		return store.write(store.newWorkerId().orElseThrow(), WorkerLeaseStore.ABSENT, held("a", NOW + 10))
			.orElseThrow();
	}

	private static WorkerLease held(String owner, long horizon) {
		return new WorkerLease(owner, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	@Test
	void aReportOfAnotherBeforeOurWrite() throws Exception {
		this.network.before(OpCode.multi, 1,
				() -> this.zooKeeper.client()
					.setData()
					.forPath(this.zooKeeper.path(NODE), "{\"timestamp\":1}".getBytes(StandardCharsets.UTF_8)));
		assertThat(this.store.write(0, this.version, held("a", NOW + 20))).isEmpty();
		assertThat(this.zooKeeper.content(NODE)).doesNotContain(String.valueOf(NOW));
		assertThat(this.store.read(0)).extracting(LeaseRegister::version, (one) -> one.lease().horizon())
			.containsExactly(this.version, NOW + 10);
	}

	@Test
	void aReportOfAnotherBeforeOurClaim() throws Exception {
		assertThat(this.store.newWorkerId()).hasValue(1);
		this.network.before(OpCode.multi, 1,
				() -> this.zooKeeper.write("forever/10.0.0.1:8080.s-0000000001", "{\"timestamp\":1}"));
		assertThat(this.store.write(1, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isEmpty();
		assertThat(this.zooKeeper.content("forever/10.0.0.1:8080.s-0000000001")).isEqualTo("{\"timestamp\":1}");
		assertThat(this.zooKeeper.children("leases")).containsExactly("0");
	}

	@Test
	void anotherOfOursThatWritesBeforeOurWrite() {
		this.network.before(OpCode.multi, 1,
				() -> this.other.write(0, this.version, held("b", NOW + 30)).orElseThrow());
		assertThat(this.store.write(0, this.version, held("a", NOW + 20))).isEmpty();
		assertThat(this.store.read(0).lease().owner()).isEqualTo("b");
	}

	@Test
	void anotherOfOursThatCreatesTheMissingNodeBeforeOurWrite() throws Exception {
		this.zooKeeper.delete(NODE);
		this.network.before(OpCode.multi, 1,
				() -> this.other.write(0, this.version, held("b", NOW + 30)).orElseThrow());
		assertThat(this.store.write(0, this.version, held("a", NOW + 20))).isEmpty();
		assertThat(this.store.read(0).lease().owner()).isEqualTo("b");
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.2:8080.s-0000000000");
	}

	@Test
	void somebodyWhoEditsTheLeaseBeforeOurWrite() throws Exception {
		this.network.before(OpCode.multi, 1, () -> this.zooKeeper.write("leases/0", "{\"owner\":\"c\",\"horizon\":7}"));
		assertThat(this.store.write(0, this.version, held("a", NOW + 20))).isEmpty();
		assertThat(this.store.read(0).lease().owner()).isEqualTo("c");
	}

	@Test
	void aNodeThatIsDeletedBeforeOurWrite() throws Exception {
		this.network.before(OpCode.multi, 1, () -> this.zooKeeper.delete(NODE));
		assertThat(this.store.write(0, this.version, held("a", NOW + 20))).isPresent();
		assertThat(this.zooKeeper.stat(NODE)).isNotNull();
	}

	@Test
	void aNumberThatIsClaimedBetweenTwoListings() {
		this.network.before(OpCode.getChildren2, 2, () -> claimNew(this.other));
		assertThat(this.store.readAll()).extracting(LeaseRegister::blockedBy).containsOnlyNulls();
		assertThat(this.store.readAll()).hasSize(2);
	}

	@Test
	void aReportBetweenTheReadsOfARegister() {
		// the second is that of the lease
		this.network.before(OpCode.getData, 2,
				() -> this.other.write(0, this.version, held("b", NOW + 30)).orElseThrow());
		assertThat(this.store.readAll()).extracting(LeaseRegister::blockedBy).containsOnlyNulls();
		assertThat(this.store.read(0).lease().owner()).isEqualTo("b");
	}

	@Test
	void aTwinThatUsesItsNumberWhileWeLookForALabel() throws Exception {
		ZooKeeperWorkerLeaseStore twin = this.zooKeeper.store("10.0.0.1", "8080");
		twin.open(SnowflakeLayout.LEAF);
		assertThat(twin.newWorkerId()).hasValue(1);
		this.network.before(OpCode.getChildren2, 2,
				() -> twin.write(1, WorkerLeaseStore.ABSENT, held("b", NOW + 30)).orElseThrow());
		assertThat(this.store.newWorkerId()).hasValue(2);
		assertThat(this.zooKeeper.children("forever")).containsExactly("10.0.0.1:8080.s-0000000000",
				"10.0.0.1:8080.s-0000000001", "10.0.0.1:8080.s-0000000002");
	}

}
