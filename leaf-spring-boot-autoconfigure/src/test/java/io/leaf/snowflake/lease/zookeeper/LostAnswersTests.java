// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the store with a connection that breaks after ZooKeeper has processed a request.
 */
class LostAnswersTests {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperProxy network;

	@BeforeEach
	void connect() throws IOException {
		this.network = this.zooKeeper.closing(new ZooKeeperProxy(this.zooKeeper.port()));
	}

	private ZooKeeperWorkerLeaseStore open(Client client) {
		ZooKeeperWorkerLeaseStore store = switch (client) {
			case OWN ->
				this.zooKeeper.store(ZooKeeperExtension.settings(this.network.connectString()), "10.0.0.1", "8080");
			case WITH_RETRIES -> {
				CuratorFramework curator = this.zooKeeper
					.closing(CuratorFrameworkFactory.newClient(this.network.connectString(), new RetryNTimes(10, 100)));
				curator.start();
				yield this.zooKeeper.store(curator, "10.0.0.1");
			}
		};
		store.open(SnowflakeLayout.LEAF);
		return store;
	}

	@ParameterizedTest
	@EnumSource
	void aWriteNeverConflictsWithItself(Client client) {
		ZooKeeperWorkerLeaseStore store = open(client);
		long workerId = store.newWorkerId(Set.of()).orElseThrow();
		this.network.loseAnswerTo(OpCode.multi);
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10)))
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
		LeaseRecord created = readAgain(store, workerId);
		assertThat(created.lease()).isEqualTo(held("a", NOW + 10));
		this.network.loseAnswerTo(OpCode.multi);
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> store.write(workerId, created.version(), held("a", NOW + 20)));
		LeaseRecord renewed = readAgain(store, workerId);
		assertThat(renewed.lease()).isEqualTo(held("a", NOW + 20));
		assertThat(renewed.blockedBy()).isNull();
		assertThat(store.write(workerId, created.version(), held("a", NOW + 30))).isFalse();
		assertThat(store.write(workerId, renewed.version(), held("a", NOW + 30))).isTrue();
	}

	private static LeaseRecord readAgain(WorkerLeaseStore store, long workerId) {
		return await().ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
			.until(() -> store.read(workerId), (record) -> true);
	}

	@ParameterizedTest
	@EnumSource
	void aNumberCanBeRequestedAgainAfterALostAnswer(Client client) throws Exception {
		ZooKeeperWorkerLeaseStore store = open(client);
		this.network.loseAnswerTo(OpCode.multi);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.newWorkerId(Set.of()));
		OptionalLong workerId = await().ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
			.until(() -> store.newWorkerId(Set.of()), OptionalLong::isPresent);
		assertThat(store.write(workerId.getAsLong(), WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
		assertThat(this.zooKeeper.children("leases")).containsExactly(String.valueOf(workerId.getAsLong()));
	}

	enum Client {

		OWN, WITH_RETRIES

	}

}
