// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

import io.leaf.Garbage;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the store in a tree with garbage that is generated from a seed: worker IDs with
 * invalid data are blocked, and the others work.
 */
@ExtendWith(OutputCaptureExtension.class)
class GarbageNodesTests {

	private static final String NAME_CHARACTERS = "0123456789--::..ab AB_%[{\"é中";

	private static final int CASES = Boolean.getBoolean("leaf.test.full") ? 300 : 100;

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperWorkerLeaseStore store;

	@BeforeEach
	void open() {
		this.store = opened("10.0.0.1");
		assertThat(this.store.newWorkerId(Set.of())).hasValue(1);
		assertThat(this.store.write(1, WorkerLeaseStore.ABSENT, held("claim-1", NOW + 10))).isTrue();
	}

	private ZooKeeperWorkerLeaseStore opened(String host) {
		ZooKeeperWorkerLeaseStore opened = this.zooKeeper.store(host, "8080");
		opened.open(SnowflakeLayout.LEAF);
		return opened;
	}

	private void put(String below, byte[] content) throws Exception {
		this.zooKeeper.client().setData().forPath(this.zooKeeper.path(below), content);
	}

	private byte[] get(String below) throws Exception {
		return this.zooKeeper.client().getData().forPath(this.zooKeeper.path(below));
	}

	@Test
	void aLeaseHasTheContentOfItsNodeOrIsBlocked() throws Exception {
		byte[] valid = get("leases/1");
		Garbage garbage = new Garbage("Leases");
		int blocked = 0;
		for (int i = 0; i < CASES; i++) {
			byte[] content = garbage.of(valid);
			put("leases/1", content);
			LeaseRecord record = this.store.read(1);
			assertThat(this.store.readAll()).as("number %d", i).containsExactly(record);
			if (record.blockedBy() != null) {
				blocked++;
				assertThat(record.blockedBy())
					.contains(this.zooKeeper.path("leases/1"), "cannot be read", "set the content of this node")
					.hasSizeLessThan(600);
				assertThat(record.lease().isReleased()).isFalse();
				assertThat(record.lease().horizon()).isEqualTo(Lease.MAX_TIME);
				assertThat(this.store.write(1, record.version(), held("claim-1", NOW + 20))).isFalse();
				assertThat(get("leases/1")).isEqualTo(content);
			}
			else {
				assertThat(record.lease().horizon()).as("number %d", i).isBetween(0L, Lease.MAX_TIME);
				assertThat(new String(content, StandardCharsets.UTF_8))
					.contains(Long.toString(record.lease().horizon()));
			}
		}
		assertThat(blocked).isBetween(CASES / 4, CASES - 1);
		assertThat(this.store.newWorkerId(Set.of())).hasValue(2);
		// the worker ID can be written again once its lease record is valid
		put("leases/1", valid);
		assertThat(this.store.write(1, this.store.read(1).version(), held("claim-1", NOW + 20))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "-9223372036854775808", "-1", "9223372036854775807", "253402300800000" })
	void anInvalidHorizonIsBlocked(String horizon) throws Exception {
		this.zooKeeper.write("leases/1", "{\"owner\":\"\",\"horizon\":%s}".formatted(horizon));
		LeaseRecord record = this.store.read(1);
		assertThat(record.blockedBy()).contains("field horizon should be from 0 to 253402300799999", horizon);
		assertThat(record.lease().isReleased()).isFalse();
	}

	@Test
	void randomNodesInTheFoldersDoNotAffectLeases() throws Exception {
		Garbage garbage = new Garbage("Names of nodes");
		for (String folder : List.of("forever", "leases")) {
			Set<String> names = new TreeSet<>();
			while (names.size() < CASES) {
				names.add(name(garbage));
			}
			names.removeAll(this.zooKeeper.children(folder));
			create(names.stream().map((name) -> folder + "/" + name).toList(), garbage);
			put(folder, garbage.of(new byte[1000]));
		}
		ZooKeeperWorkerLeaseStore another = opened("10.0.0.2");
		for (ZooKeeperWorkerLeaseStore process : List.of(this.store, another)) {
			List<LeaseRecord> records = process.readAll();
			assertThat(records).extracting(LeaseRecord::workerId).isSorted().contains(1L).doesNotHaveDuplicates();
			assertThat(records).allSatisfy((record) -> {
				assertThat(record.workerId()).isBetween(0L, 1023L);
			});
			long free = process.newWorkerId(Set.of()).orElseThrow();
			assertThat(records).noneMatch((record) -> record.workerId() == free);
			assertThat(process.write(free, WorkerLeaseStore.ABSENT, held("claim-1", NOW + 30))).isTrue();
			assertThat(process.write(1, process.read(1).version(), held("claim-1", NOW + 20))).isTrue();
		}
		assertThat(another.currentTime()).isPresent();
	}

	private static String name(Garbage garbage) {
		StringBuilder name = new StringBuilder();
		int length = 1 + garbage.random().nextInt(12);
		for (int i = 0; i < length; i++) {
			name.append(NAME_CHARACTERS.charAt(garbage.random().nextInt(NAME_CHARACTERS.length())));
		}
		return name.toString().matches("\\.{1,2}") ? "x" : name.toString();
	}

	private void create(List<String> nodes, Garbage garbage) throws Exception {
		List<CuratorOp> operations = new ArrayList<>();
		for (String node : nodes) {
			operations.add(this.zooKeeper.client()
				.transactionOp()
				.create()
				.forPath(this.zooKeeper.path(node), garbage.of("{\"timestamp\":0}".getBytes(StandardCharsets.UTF_8))));
		}
		for (int i = 0; i < operations.size(); i += 1000) {
			this.zooKeeper.client()
				.transaction()
				.forOperations(operations.subList(i, Math.min(operations.size(), i + 1000)));
		}
	}

	@Test
	void thousandsOfNodesAreLoggedAHundredTimes(CapturedOutput output) throws Exception {
		List<String> nodes = new ArrayList<>();
		for (int i = 0; i < 5000; i++) {
			nodes.add("leases/garbage-" + i);
			nodes.add("leases/0" + i);
			nodes.add("forever/a-b-" + i);
		}
		create(nodes, new Garbage("Thousands of nodes"));
		for (int i = 0; i < 3; i++) {
			assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(1L);
		}
		assertThat(this.store.write(1, this.store.read(1).version(), held("claim-1", NOW + 20))).isTrue();
		assertThat(output.toString().lines().filter((line) -> line.contains("is ignored"))).hasSize(100);
		assertThat(output).containsOnlyOnce(
				"100 malformed ZooKeeper nodes have been logged, and no further malformed nodes will be logged");
		// five thousand numbers are used up, and never assigned again
		assertThat(this.store.newWorkerId(Set.of())).isEqualTo(OptionalLong.empty());
		assertThat(this.store.newWorkerId(Set.of())).isEqualTo(OptionalLong.empty());
		assertThat(output).containsOnlyOnce(
				"number that ZooKeeper node " + this.zooKeeper.path("forever") + " assigns is at least 5002");
	}

	@Test
	void thousandsOfNodesWithOneNumberBlockItWithAShortMessage() throws Exception {
		List<String> nodes = new ArrayList<>();
		for (int i = 0; i < 3000; i++) {
			nodes.add("forever/host" + i + "-1");
		}
		create(nodes, new Garbage("One number"));
		assertThat(this.store.readAll()).singleElement()
			.satisfies((record) -> assertThat(record.blockedBy()).contains("Meituan's Leaf", "delete its node")
				.hasSizeLessThan(500));
	}

	@Test
	void anInvalidLayoutIsQuotedInAShortMessage() throws Exception {
		byte[] valid = get("layout");
		Garbage garbage = new Garbage("Layouts");
		for (int i = 0; i < 50; i++) {
			byte[] content = (i == 0) ? "\n{".repeat(100_000).getBytes(StandardCharsets.UTF_8) : garbage.of(valid);
			put("layout", content);
			if (!new String(content, StandardCharsets.UTF_8).equals(SnowflakeLayout.LEAF.toString())) {
				assertThatExceptionOfType(WorkerLeaseStoreException.class)
					.isThrownBy(() -> this.store.open(SnowflakeLayout.LEAF))
					.withMessageContainingAll(this.zooKeeper.path("layout"), SnowflakeLayout.LEAF.toString(),
							"write that layout into")
					.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue())
					.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(800).doesNotContainPattern("\\R"));
			}
			assertThat(get("layout")).isEqualTo(content);
		}
		put("layout", valid);
		this.store.open(SnowflakeLayout.LEAF);
	}

	@Test
	void anEphemeralFolderIsReportedWithAdvice() throws Exception {
		for (String folder : List.of("leases", "forever")) {
			this.zooKeeper.delete(folder);
			this.zooKeeper.client().create().withMode(CreateMode.EPHEMERAL).forPath(this.zooKeeper.path(folder));
			ZooKeeperWorkerLeaseStore another = opened("10.0.0.2");
			assertThatExceptionOfType(WorkerLeaseStoreException.class)
				.isThrownBy(() -> another.write(another.newWorkerId(Set.of()).orElseThrow(), WorkerLeaseStore.ABSENT,
						held("claim-1", NOW + 10)))
				.withMessageContainingAll(this.zooKeeper.path(folder), "cannot have child nodes",
						"Delete the ephemeral node")
				.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
			this.zooKeeper.delete(folder);
			long workerId = another.newWorkerId(Set.of()).orElseThrow();
			assertThat(another.write(workerId, WorkerLeaseStore.ABSENT, held("claim-1", NOW + 10))).isTrue();
		}
	}

	@Test
	void aNodeThatMayNotBeReadIsNamed() throws Exception {
		this.zooKeeper.client()
			.setACL()
			.withACL(List.of(new ACL(Perms.ALL, new Id("digest", "other:digest"))))
			.forPath(this.zooKeeper.path("leases/1"));
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(this.store::readAll)
			.withMessageContainingAll(this.zooKeeper.path("leases/1"), "NOAUTH", "leaf.snowflake.zookeeper.auth")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void moreChildrenThanAnAnswerHoldsAreReportedWithAdvice() throws Exception {
		List<String> nodes = new ArrayList<>();
		for (int i = 0; i < 6000; i++) {
			nodes.add("leases/" + "x".repeat(200) + "-" + i);
		}
		create(nodes, new Garbage("Long names"));
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(this.store::readAll)
			.withMessageContainingAll(this.zooKeeper.path("leases"), "too many nodes below 'leases' or", "delete",
					"-Djute.maxbuffer")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
		// a client that lists the nodes has the same limit, so they are deleted by name
		for (String node : nodes) {
			this.zooKeeper.client().delete().inBackground().forPath(this.zooKeeper.path(node));
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(this.store.readAll()).hasSize(1));
	}

}
