// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.claimNew;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the store in a tree with nodes that do not belong there.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnexpectedNodesTests {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperWorkerLeaseStore store;

	@BeforeEach
	void open() {
		this.store = this.zooKeeper.open("10.0.0.1", "8080");
		long workerId = claimNew(this.store);
	}

	@ParameterizedTest
	@ValueSource(strings = { "forever/readme", "forever/a-b-c", "forever/10.0.0.1:8080.s-", "forever/a--1",
			"forever/a-12345678901", "leases/readme", "leases/-1", "leases/01", "leases/0", "leases/1024",
			"leases/99999999999999999999" })
	void aNodeWithAnUnexpectedNameIsIgnoredWithOneWarning(String node, CapturedOutput output) throws Exception {
		this.zooKeeper.write(node, "?");
		for (int i = 0; i < 3; i++) {
			assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(1L);
		}
		long version = this.store.read(1).version();
		assertThat(this.store.write(1, version, held("b", NOW + 10))).isTrue();
		assertThat(this.store.newWorkerId(Set.of())).isPresent();
		assertThat(output).containsOnlyOnce("ZooKeeper node " + this.zooKeeper.path(node) + " is ignored");
		assertThat(this.zooKeeper.content(node)).isEqualTo("?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "{}", "[1]", "{\"owner\":\"a\"}", "{\"horizon\":1}",
			"{\"owner\":\"a\",\"horizon\":\"soon\"}", "{\"owner\":{\"a\":1},\"horizon\":1}",
			"{\"owner\":null,\"horizon\":1}", "{\"owner\":\"a\",\"horizon\":1} x", "{\"owner\":\"a\",\"horizon\":1,}" })
	void aLeaseThatCannotBeReadIsBlocked(String garbage, CapturedOutput output) throws Exception {
		this.zooKeeper.write("leases/1", garbage);
		for (int i = 0; i < 3; i++) {
			LeaseRecord record = this.store.readAll().get(0);
			assertThat(record.blockedBy()).contains(this.zooKeeper.path("leases/1"), "cannot be read");
			assertThat(record.lease().isReleased()).isFalse();
			assertThat(record.lease().horizon()).isGreaterThan(NOW);
			assertThat(this.store.write(1, record.version(), held("a", NOW + 10))).isFalse();
		}
		assertThat(this.zooKeeper.content("leases/1")).isEqualTo(garbage);
		assertThat(output).containsOnlyOnce("leases/1 cannot be read");
	}

	@Test
	void aLeaseThatCannotBeReadIsRepairedAsTheMessageAdvises() throws Exception {
		this.zooKeeper.write("leases/1", "garbage");
		String advice = this.store.read(1).blockedBy();
		assertThat(advice).endsWith("where H is the time one minute from now, in milliseconds since 1970");
		this.zooKeeper.write("leases/1",
				advice.replaceAll(".* to (\\{.*\\}), where H.*", "$1").replace("H", Long.toString(NOW)));
		LeaseRecord record = this.store.read(1);
		assertThat(record.blockedBy()).isNull();
		assertThat(record.lease().isReleased()).isTrue();
		assertThat(this.store.write(1, record.version(), held("b", NOW + 10))).isTrue();
		assertThat(this.store.read(1).blockedBy()).isNull();
	}

	@Test
	void anUnreadableNodeOfALeafServerHasNoStoredTime() throws Exception {
		this.zooKeeper.write("forever/10.0.0.9:8080-0000000002", "garbage");
		assertThat(this.store.readAll()).extracting(LeaseRecord::storedAt).element(1).isNull();
		assertThat(this.store.newWorkerId(Set.of())).hasValue(3);
	}

	@Test
	void fieldsOfALaterVersionAreIgnored() throws Exception {
		this.zooKeeper.write("leases/1", " { \"fence\" : 7 , \"horizon\":%d,\"owner\":\"a\" } ".formatted(NOW));
		LeaseRecord record = this.store.read(1);
		assertThat(record.blockedBy()).isNull();
		assertThat(record.lease()).extracting(Lease::owner, Lease::horizon, Lease::host).containsExactly("a", NOW, "");
	}

	@Test
	void aLeaseThatAnOperatorHasRepairedCanBeClaimed() throws Exception {
		this.zooKeeper.write("leases/1", "{\"owner\":\"\",\"horizon\":%d}".formatted(NOW));
		LeaseRecord record = this.store.read(1);
		assertThat(record.blockedBy()).isNull();
		assertThat(this.store.write(1, record.version(), held("b", NOW + 10))).isTrue();
	}

	@Test
	void nodesThatAreDeletedWhileAProcessRunsAreCreatedAgain() throws Exception {
		this.zooKeeper.delete("forever");
		assertThat(this.store.write(1, held("a", NOW + 10).version(), held("b", NOW + 10))).isTrue();
		assertThat(this.store.readAll()).singleElement().extracting(LeaseRecord::blockedBy).isNotNull();
		this.zooKeeper.delete("leases");
		long workerId = claimNew(this.store);
		assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(workerId);
		this.zooKeeper.delete("layout");
		this.zooKeeper.delete("leases");
		assertThat(this.store.readAll()).extracting(LeaseRecord::blockedBy).doesNotContainNull();
		assertThat(this.zooKeeper.content("layout")).isEqualTo(SnowflakeLayout.LEAF.toString());
	}

}
