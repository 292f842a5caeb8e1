// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.leaf.snowflake.lease.TestLeases.claimNew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the store with credentials for ZooKeeper.
 */
@ExtendWith(OutputCaptureExtension.class)
class ZooKeeperAuthTests {

	private static final String SECRET = "s3cr3t:with-colon";

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperWorkerLeaseStore store(String auth, String host) {
		return this.zooKeeper.store(new ZooKeeperSettings(this.zooKeeper.connectString(), auth, Duration.ofSeconds(6),
				Duration.ofSeconds(10)), host, "8080");
	}

	private List<ACL> acl(String below) throws Exception {
		return this.zooKeeper.client().getACL().forPath(this.zooKeeper.path(below));
	}

	@Test
	void nodesBelongToTheirCreator() throws Exception {
		ZooKeeperWorkerLeaseStore store = store("leaf:" + SECRET, "10.0.0.1");
		store.open(SnowflakeLayout.LEAF);
		claimNew(store);
		CuratorFramework stranger = this.zooKeeper.client();
		for (String path : List.of("/forever", "/leases", "/layout", "/leases/1", "",
				"/forever/10.0.0.1:8080.s-0000000001")) {
			String absolute = "/snowflake/" + this.zooKeeper.name() + path;
			assertThatExceptionOfType(KeeperException.NoAuthException.class).as(path)
				.isThrownBy(() -> stranger.getData().forPath(absolute));
			assertThatExceptionOfType(KeeperException.NoAuthException.class).as(path)
				.isThrownBy(() -> stranger.setData().forPath(absolute, new byte[0]));
		}
		ZooKeeperWorkerLeaseStore friend = store("leaf:" + SECRET, "10.0.0.2");
		friend.open(SnowflakeLayout.LEAF);
		assertThat(friend.read(1).lease().owner()).isEqualTo("a");
	}

	private CuratorFramework clientOf(String auth) {
		CuratorFramework client = this.zooKeeper.closing(CuratorFrameworkFactory.builder()
			.connectString(this.zooKeeper.connectString())
			.retryPolicy(new RetryOneTime(100))
			.authorization("digest", auth.getBytes(StandardCharsets.UTF_8))
			.build());
		client.start();
		return client;
	}

	@Test
	void theParentOfTheTreesOfAllApplicationsIsAlwaysOpenToAll() throws Exception {
		try (TestingServer server = ZooKeeperExtension.newServer()) {
			for (String auth : new String[] { "leaf:" + SECRET, "other:" + SECRET, null }) {
				ZooKeeperSettings settings = new ZooKeeperSettings(server.getConnectString(), auth,
						Duration.ofSeconds(6), Duration.ofSeconds(10));
				try (ZooKeeperWorkerLeaseStore store = ZooKeeperWorkerLeaseStore.connectingTo(settings,
						"app of " + auth, "10.0.0.1", "8080")) {
					store.open(SnowflakeLayout.LEAF);
					claimNew(store);
				}
			}
		}
	}

	@Test
	void withoutCredentialsNodesAreOpenToAllClients() throws Exception {
		ZooKeeperWorkerLeaseStore store = store(null, "10.0.0.1");
		store.open(SnowflakeLayout.LEAF);
		claimNew(store);
		ACL open = new ACL(Perms.ALL, new Id("world", "anyone"));
		for (String below : List.of("forever", "leases", "layout", "leases/1", "forever/10.0.0.1:8080.s-0000000001")) {
			assertThat(acl(below)).as(below).containsExactly(open);
		}
	}

	@Test
	void existingNodesAreNotChanged() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		leaf.start();
		ZooKeeperWorkerLeaseStore store = store("leaf:" + SECRET, "10.0.0.1");
		store.open(SnowflakeLayout.LEAF);
		assertThat(claimNew(store)).isEqualTo(1);
		assertThat(acl("forever")).containsExactly(new ACL(Perms.ALL, new Id("world", "anyone")));
		// the Leaf server needs to list the nodes, but to read only its own
		MeituanLeafSnowflake another = this.zooKeeper.leaf("10.0.0.10", "8080");
		another.start();
		assertThat(another.workerId()).isEqualTo(2);
	}

	@Test
	void wrongCredentialsAreRefusedWithoutBeingShown(CapturedOutput output) throws Exception {
		store("leaf:" + SECRET, "10.0.0.1").open(SnowflakeLayout.LEAF);
		for (String auth : new String[] { "leaf:wr0ng", "other:" + SECRET, null }) {
			ZooKeeperWorkerLeaseStore stranger = store(auth, "10.0.0.2");
			assertThatExceptionOfType(WorkerLeaseStoreException.class)
				.isThrownBy(() -> stranger.open(SnowflakeLayout.LEAF))
				.withMessageContainingAll("leaf.snowflake.zookeeper.auth", this.zooKeeper.connectString(), "NOAUTH")
				.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue())
				.satisfies((ex) -> assertThat(ex).hasStackTraceContaining("NoAuth"))
				.satisfies((ex) -> assertThat(ex.toString() + ex.getCause()).doesNotContain("wr0ng", SECRET));
		}
		assertThat(output).doesNotContain("wr0ng", SECRET);
	}

	@Test
	void aClientOfTheApplicationDeterminesTheAcl() throws Exception {
		ACL readable = new ACL(Perms.ALL, new Id("ip", "127.0.0.1"));
		CuratorFramework client = this.zooKeeper.closing(CuratorFrameworkFactory.builder()
			.connectString(this.zooKeeper.connectString())
			.retryPolicy(new RetryOneTime(100))
			.aclProvider(new ACLProvider() {

				@Override
				public List<ACL> getDefaultAcl() {
					return List.of(readable);
				}

				@Override
				public List<ACL> getAclForPath(String path) {
					return getDefaultAcl();
				}

			})
			.build());
		client.start();
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.store(client, "10.0.0.1");
		store.open(SnowflakeLayout.LEAF);
		claimNew(store);
		for (String below : List.of("forever", "leases/1", "forever/10.0.0.1:8080.s-0000000001")) {
			assertThat(acl(below)).as(below).containsExactly(readable);
		}
	}

	@Test
	void aClientOfTheApplicationWithoutRightsIsReportedWithTheCredentialsToChange() throws Exception {
		store("leaf:" + SECRET, "10.0.0.1").open(SnowflakeLayout.LEAF);
		ZooKeeperWorkerLeaseStore stranger = this.zooKeeper.store(this.zooKeeper.client(), "10.0.0.2");
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> stranger.open(SnowflakeLayout.LEAF))
			.withMessageContainingAll("the application's CuratorFramework", "leaf.snowflake.zookeeper")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

}
