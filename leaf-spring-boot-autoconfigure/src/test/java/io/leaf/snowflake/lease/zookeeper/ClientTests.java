// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.ensemble.EnsembleProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.listen.UnaryListenerManager;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.leaf.snowflake.lease.TestLeases.claimNew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests the store with a client of the application, and with its own client.
 */
class ClientTests {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private CuratorFrameworkFactory.Builder client() {
		return CuratorFrameworkFactory.builder()
			.connectString(this.zooKeeper.connectString())
			.retryPolicy(new RetryOneTime(100));
	}

	private ZooKeeperWorkerLeaseStore store(CuratorFramework client) {
		return this.zooKeeper.store(client, "10.0.0.1");
	}

	@Test
	void theNamespaceOfAClientApplies() throws Exception {
		String namespace = ZooKeeperExtension.newName();
		CuratorFramework client = this.zooKeeper.closing(client().namespace(namespace).build());
		client.start();
		ZooKeeperWorkerLeaseStore store = store(client);
		store.open(SnowflakeLayout.LEAF);
		claimNew(store);
		assertThat(store.readAll()).hasSize(1);
		assertThat(store.currentTime()).isPresent();
		String root = "/" + namespace + "/snowflake/" + this.zooKeeper.name();
		assertThat(this.zooKeeper.client().getChildren().forPath(root + "/forever"))
			.containsExactly("10.0.0.1:8080.s-0000000001");
		assertThat(this.zooKeeper.client().checkExists().forPath("/snowflake/" + this.zooKeeper.name())).isNull();
		store.close();
		assertThat(this.zooKeeper.client().getChildren().forPath(root)).doesNotContain("temporary");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			zk1:2181,zk2:2181     |        | zookeeper zk1:2181,zk2:2181/snowflake/
			ZK2 , zk1,zk2:2181    |        | zookeeper zk1:2181,zk2:2181/snowflake/
			zk1:2182              |        | zookeeper zk1:2182/snowflake/
			[::1],[fe80::1]:2182  |        | zookeeper [::1]:2181,[fe80::1]:2182/snowflake/
			zk1:2181/apps         |        | zookeeper zk1:2181/apps/snowflake/
			zk1:2181/Apps/        |        | zookeeper zk1:2181/Apps/snowflake/
			zk1:2181/apps         | orders | zookeeper zk1:2181/apps/orders/snowflake/
			zk1:2181              | orders | zookeeper zk1:2181/orders/snowflake/
			""")
	void theIdentityIsTheEnsembleAndThePathInAnyNotation(String connectString, @Nullable String namespace,
			String identity) {
		CuratorFramework client = this.zooKeeper
			.closing(client().connectString(connectString).namespace(namespace).build());
		assertThat(store(client).identity()).isEqualTo(identity + this.zooKeeper.name());
	}

	// Curator tracks the ensemble's own list, which names other addresses; a process that
	// starts without the ensemble does not have that list.
	@Test
	void theIdentityIsUnknownOnceTheEnsembleHasReplacedTheServersConfigured() {
		CuratorFramework client = mock(CuratorFramework.class, delegatesTo(client().build()));
		ZooKeeperWorkerLeaseStore store = store(client);
		assertThat(store.identity()).isNotNull();
		QuorumVerifier tracked = mock(QuorumVerifier.class);
		given(client.getCurrentConfig()).willReturn(tracked);
		assertThat(store.identity()).isNotNull();
		given(tracked.getAllMembers()).willReturn(Map.of(1L, mock(QuorumPeer.QuorumServer.class)));
		assertThat(store.identity()).isNull();
	}

	@Test
	void theIdentityIsUnknownAsLongAsTheClientHasNoServers() {
		EnsembleProvider provider = mock(EnsembleProvider.class);
		given(provider.getConnectionString()).willReturn("");
		CuratorFramework client = this.zooKeeper.closing(CuratorFrameworkFactory.builder()
			.ensembleProvider(provider)
			.retryPolicy(new RetryOneTime(100))
			.build());
		assertThat(store(client).identity()).isNull();
	}

	@Test
	void aClientThatCompressesDoesNotCompressTheNodesThatLeafServersRead() throws Exception {
		CuratorFramework client = this.zooKeeper.closing(client().enableCompression().build());
		client.start();
		ZooKeeperWorkerLeaseStore store = store(client);
		store.open(SnowflakeLayout.LEAF);
		claimNew(store);
		assertThat(this.zooKeeper.content("forever/10.0.0.1:8080.s-0000000001")).startsWith("{\"ip\":\"10.0.0.1\"");
		assertThat(this.zooKeeper.content("layout")).isEqualTo(SnowflakeLayout.LEAF.toString());
	}

	@Test
	void aStoreLeavesNoListenerOnAClient() {
		CuratorFramework client = this.zooKeeper.closing(client().build());
		client.start();
		UnaryListenerManager<?> listeners = (UnaryListenerManager<?>) client.getConnectionStateListenable();
		int before = listeners.size();
		ZooKeeperWorkerLeaseStore store = store(client);
		store.open(SnowflakeLayout.LEAF);
		assertThat(listeners.size()).isEqualTo(before + 1);
		store.close();
		assertThat(listeners.size()).isEqualTo(before);
	}

	@Test
	void aClientThatWasNotStartedIsRefused() {
		CuratorFramework client = this.zooKeeper.closing(client().build());
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> store(client).open(SnowflakeLayout.LEAF))
			.withMessageContaining("must be started")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
		assertThat(client.getState()).isEqualTo(CuratorFrameworkState.LATENT);
	}

	@Test
	void theStoresOwnClientConnectsWhenTheStoreIsOpened() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.store("10.0.0.1", "8080");
		assertThat(Thread.getAllStackTraces().keySet()).isSubsetOf(before);
		store.open(SnowflakeLayout.LEAF);
		claimNew(store);
		Set<Thread> started = Thread.getAllStackTraces().keySet();
		started.removeAll(before);
		// a JVM can end although the store has not been closed
		assertThat(started).isNotEmpty().allMatch(Thread::isDaemon);
	}

	@Test
	void aPathInTheConnectStringIsCreatedAndContainsAllTrees() throws Exception {
		String path = ZooKeeperExtension.newName();
		for (String connectString : List.of("/" + path + "/apps", "/" + path + "/apps/")) {
			ZooKeeperWorkerLeaseStore store = this.zooKeeper
				.store(ZooKeeperExtension.settings(this.zooKeeper.connectString() + connectString), "10.0.0.1", "8080");
			store.open(SnowflakeLayout.LEAF);
			claimNew(store);
		}
		assertThat(this.zooKeeper.client()
			.getChildren()
			.forPath("/%s/apps/snowflake/%s/leases".formatted(path, this.zooKeeper.name())))
			.containsExactlyInAnyOrder("1", "2");
	}

	@Test
	void aPathThatMayNotBeCreatedIsUsedIfItExistsAndReportedIfItDoesNot() throws Exception {
		String locked = "/" + ZooKeeperExtension.newName();
		CuratorFramework client = this.zooKeeper.client();
		client.create().creatingParentsIfNeeded().forPath(locked + "/apps");
		client.setACL().withACL(List.of(new ACL(Perms.READ, new Id("world", "anyone")))).forPath(locked);
		ZooKeeperWorkerLeaseStore store = this.zooKeeper
			.store(ZooKeeperExtension.settings(this.zooKeeper.connectString() + locked + "/apps"), "10.0.0.1", "8080");
		store.open(SnowflakeLayout.LEAF);
		claimNew(store);
		ZooKeeperWorkerLeaseStore missing = this.zooKeeper
			.store(ZooKeeperExtension.settings(this.zooKeeper.connectString() + locked + "/more"), "10.0.0.1", "8080");
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> missing.open(SnowflakeLayout.LEAF))
			.withMessageStartingWith("The path " + locked + "/more at the end of the connect string ")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

}
