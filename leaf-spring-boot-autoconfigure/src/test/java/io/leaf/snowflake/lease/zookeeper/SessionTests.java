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

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The nodes below {@code temporary}, and what becomes of sessions.
 */
class SessionTests {

	private static final long NOW = 1_795_000_000_000L;

	private static final String NODE = "temporary/10.0.0.1:8080.s-0";

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private CuratorFramework client;

	private ZooKeeperWorkerLeaseStore store;

	private long version;

	@BeforeEach
	void claim() {
		this.client = this.zooKeeper
			.closing(CuratorFrameworkFactory.newClient(this.zooKeeper.connectString(), new RetryOneTime(100)));
		this.client.start();
		this.store = this.zooKeeper
			.closing(new ZooKeeperWorkerLeaseStore(this.client, this.zooKeeper.name(), "10.0.0.1", "8080"));
		this.store.open(SnowflakeLayout.LEAF);
		long workerId = this.store.newWorkerId().orElseThrow();
		this.version = this.store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10)).orElseThrow();
	}

	private static WorkerLease held(String owner, long horizon) {
		return new WorkerLease(owner, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	private long write(ZooKeeperWorkerLeaseStore process, WorkerLease lease) {
		return await().ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
			.until(() -> process.write(0, process.read(0).version(), lease), (written) -> written.isPresent())
			.getAsLong();
	}

	@Test
	void whoHoldsALeaseIsAnnounced() throws Exception {
		assertThat(this.zooKeeper.children("temporary")).containsExactly("10.0.0.1:8080.s-0");
		assertThat(this.zooKeeper.stat(NODE).getEphemeralOwner()).isNotZero();
		assertThat(this.zooKeeper.content(NODE))
			.isEqualTo("{\"ip\":\"10.0.0.1\",\"port\":\"8080\",\"timestamp\":1795000000000}");
	}

	@Test
	void aReleaseWithdrawsTheNode() throws Exception {
		this.store.write(0, this.version, held(WorkerLease.NOBODY, NOW)).orElseThrow();
		assertThat(this.zooKeeper.children("temporary")).isEmpty();
		assertThat(this.store.read(0).live()).isFalse();
	}

	@Test
	void whoHasLostALeaseWithdrawsTheNode() throws Exception {
		ZooKeeperWorkerLeaseStore other = this.zooKeeper.store("10.0.0.2", "8080");
		other.open(SnowflakeLayout.LEAF);
		other.write(0, this.version, held("b", NOW + 20)).orElseThrow();
		assertThat(this.store.write(0, this.version, held("a", NOW + 20))).isEmpty();
		assertThat(this.zooKeeper.children("temporary")).containsExactly("10.0.0.2:8080.s-0");
	}

	@Test
	void theEndWithdrawsTheNodeAndLeavesTheClientOpen() throws Exception {
		this.store.close();
		assertThat(this.zooKeeper.children("temporary")).isEmpty();
		assertThat(this.client.checkExists().forPath(this.zooKeeper.path("leases/0"))).isNotNull();
		assertThat(this.store.read(0).live()).isFalse();
	}

	@Test
	void theNodeComesBackAfterTheSessionHasExpired() throws Exception {
		long session = this.zooKeeper.stat(NODE).getEphemeralOwner();
		this.client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
		this.version = write(this.store, held("a", NOW + 20));
		assertThat(this.zooKeeper.stat(NODE).getEphemeralOwner()).isNotIn(0L, session);
		assertThat(this.store.read(0).live()).isTrue();
		this.store.write(0, this.version, held(WorkerLease.NOBODY, NOW)).orElseThrow();
		assertThat(this.zooKeeper.children("temporary")).isEmpty();
	}

	@Test
	void aNodeOfAnEarlierSessionIsReplaced() throws Exception {
		// of a process that was killed and restarted within the session timeout
		this.store.write(0, this.version, held(WorkerLease.NOBODY, NOW)).orElseThrow();
		this.zooKeeper.client()
			.create()
			.withMode(CreateMode.EPHEMERAL)
			.forPath(this.zooKeeper.path(NODE), "?".getBytes(StandardCharsets.UTF_8));
		long session = this.zooKeeper.stat(NODE).getEphemeralOwner();
		write(this.store, held("b", NOW + 20));
		assertThat(this.zooKeeper.stat(NODE).getEphemeralOwner()).isNotIn(0L, session);
	}

	@Test
	void aNodeThatWasDeletedComesBack() throws Exception {
		this.zooKeeper.delete(NODE);
		assertThat(this.store.read(0).live()).isFalse();
		write(this.store, held("a", NOW + 20));
		assertThat(this.store.read(0).live()).isTrue();
	}

	@Test
	void aReportSucceedsWithoutTheNode() throws Exception {
		this.zooKeeper.delete("temporary");
		assertThat(this.store.write(0, this.version, held("a", NOW + 20))).isPresent();
	}

	@Test
	void theStoreGoesOnWhenItsServerOfThreeDies() throws Exception {
		try (TestingCluster cluster = new TestingCluster(3)) {
			cluster.start();
			ZooKeeperSettings settings = new ZooKeeperSettings(cluster.getConnectString(), null, Duration.ofSeconds(6),
					Duration.ofSeconds(30));
			CuratorFramework curator = this.zooKeeper
				.closing(CuratorFrameworkFactory.newClient(cluster.getConnectString(), new RetryOneTime(100)));
			curator.start();
			ZooKeeperWorkerLeaseStore process = this.zooKeeper
				.closing(new ZooKeeperWorkerLeaseStore(curator, "cluster", "10.0.0.1", "8080"));
			process.open(SnowflakeLayout.LEAF);
			ZooKeeperWorkerLeaseStore other = this.zooKeeper
				.closing(ZooKeeperWorkerLeaseStore.connectingTo(settings, "cluster", "10.0.0.2", "8080"));
			other.open(SnowflakeLayout.LEAF);
			long workerId = process.newWorkerId().orElseThrow();
			process.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10)).orElseThrow();
			InstanceSpec connected = cluster.findConnectionInstance(curator.getZookeeperClient().getZooKeeper());
			assertThat(cluster.killServer(connected)).isTrue();
			write(process, held("a", NOW + 20));
			LeaseRegister seen = await().ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
				.until(() -> other.read(workerId), (register) -> true);
			assertThat(seen.lease().horizon()).isEqualTo(NOW + 20);
			process.close();
			other.close();
			curator.close();
		}
	}

}
