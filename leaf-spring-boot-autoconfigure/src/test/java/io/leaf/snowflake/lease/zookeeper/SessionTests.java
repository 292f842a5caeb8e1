// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.time.Duration;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.claimNew;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a store whose session or server ends.
 */
class SessionTests {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private static void write(ZooKeeperWorkerLeaseStore process, long workerId, Lease lease) {
		await().atMost(Duration.ofSeconds(60))
			.ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
			.until(() -> process.write(workerId, process.read(workerId).version(), lease));
	}

	@Test
	void theStoreContinuesWhenItsSessionHasExpired() throws Exception {
		CuratorFramework client = this.zooKeeper.startClient(this.zooKeeper.connectString());
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.store(client, "10.0.0.1");
		store.open(SnowflakeLayout.LEAF);
		long workerId = claimNew(store);
		client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
		write(store, workerId, held("a", NOW + 20));
		assertThat(store.read(workerId).lease()).isEqualTo(held("a", NOW + 20));
		store.close();
		assertThat(client.checkExists().forPath(this.zooKeeper.path("leases/" + workerId))).isNotNull();
	}

	@Test
	void theStoreContinuesWhenItsServerOfThreeIsKilled() throws Exception {
		try (TestingCluster cluster = new TestingCluster(3)) {
			cluster.start();
			ZooKeeperSettings settings = new ZooKeeperSettings(cluster.getConnectString(), null, Duration.ofSeconds(6),
					Duration.ofSeconds(30));
			CuratorFramework curator = this.zooKeeper.startClient(cluster.getConnectString());
			ZooKeeperWorkerLeaseStore process = this.zooKeeper
				.closing(new ZooKeeperWorkerLeaseStore(curator, "cluster", "10.0.0.1", "8080"));
			process.open(SnowflakeLayout.LEAF);
			ZooKeeperWorkerLeaseStore other = this.zooKeeper
				.closing(ZooKeeperWorkerLeaseStore.connectingTo(settings, "cluster", "10.0.0.2", "8080"));
			other.open(SnowflakeLayout.LEAF);
			long workerId = claimNew(process);
			InstanceSpec connected = cluster.findConnectionInstance(curator.getZookeeperClient().getZooKeeper());
			assertThat(cluster.killServer(connected)).isTrue();
			write(process, workerId, held("a", NOW + 20));
			LeaseRecord seen = await().ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
				.until(() -> other.read(workerId), (record) -> true);
			assertThat(seen.lease().horizon()).isEqualTo(NOW + 20);
			process.close();
			other.close();
			curator.close();
		}
	}

}
