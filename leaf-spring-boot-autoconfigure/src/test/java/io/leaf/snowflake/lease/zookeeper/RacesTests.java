// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.io.IOException;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests writes of other processes between two requests of the store.
 */
class RacesTests {

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
		this.other = this.zooKeeper.open("10.0.0.2", "8080");
		this.version = claimNew(this.store);
	}

	private static long claimNew(WorkerLeaseStore store) {
		assertThat(store.write(store.newWorkerId(Set.of()).orElseThrow(), WorkerLeaseStore.ABSENT, held("a", NOW + 10)))
			.isTrue();
		return held("a", NOW + 10).version();
	}

	@Test
	void aReportOfAnotherProcessBeforeAClaimPreventsTheClaim() throws Exception {
		assertThat(this.store.newWorkerId(Set.of())).hasValue(2);
		this.network.before(OpCode.multi, 1,
				() -> this.zooKeeper.write("forever/10.0.0.1:8080.s-0000000002", "{\"timestamp\":1}"));
		assertThat(this.store.write(2, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isFalse();
		assertThat(this.zooKeeper.content("forever/10.0.0.1:8080.s-0000000002")).isEqualTo("{\"timestamp\":1}");
		assertThat(this.zooKeeper.children("leases")).containsExactly("1");
	}

	@Test
	void aWriteOfAnotherProcessBeforeAWritePreventsTheWrite() {
		this.network.before(OpCode.multi, 1,
				() -> assertThat(this.other.write(1, this.version, held("b", NOW + 30))).isTrue());
		assertThat(this.store.write(1, this.version, held("a", NOW + 20))).isFalse();
		assertThat(this.store.read(1).lease().owner()).isEqualTo("b");
	}

	@Test
	void anEditOfTheLeaseRecordBeforeAWritePreventsTheWrite() throws Exception {
		this.network.before(OpCode.multi, 1, () -> this.zooKeeper.write("leases/1", "{\"owner\":\"c\",\"horizon\":7}"));
		assertThat(this.store.write(1, this.version, held("a", NOW + 20))).isFalse();
		assertThat(this.store.read(1).lease().owner()).isEqualTo("c");
	}

	@Test
	void aNumberThatIsClaimedBetweenTwoListingsIsNotBlocked() {
		this.network.before(OpCode.multiRead, 2, () -> claimNew(this.other));
		assertThat(this.store.readAll()).extracting(LeaseRecord::blockedBy).containsOnlyNulls();
		assertThat(this.store.readAll()).hasSize(2);
	}

}
