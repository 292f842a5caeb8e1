// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaf.snowflake.SnowflakeLayout;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Provides one ZooKeeper server for all tests, with a different {@code leaf.name} for
 * each test.
 */
final class ZooKeeperExtension implements BeforeEachCallback, AfterEachCallback {

	/**
	 * The server grants session timeouts from 2 to 20 ticks, in milliseconds.
	 */
	private static final int TICK = 300;

	private static final AtomicInteger names = new AtomicInteger();

	private final List<AutoCloseable> open = new ArrayList<>();

	private Server server;

	private String name;

	@Override
	public void beforeEach(ExtensionContext context) {
		this.server = context.getRoot()
			.getStore(Namespace.create(ZooKeeperExtension.class))
			.computeIfAbsent(Server.class, (type) -> new Server(), Server.class);
		this.name = newName();
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
		this.open.clear();
	}

	static TestingServer newServer() throws Exception {
		return new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, TICK, -1), true);
	}

	/**
	 * Closes a resource after the test, before those that were registered earlier.
	 */
	<T extends AutoCloseable> T closing(T closeable) {
		this.open.add(closeable);
		return closeable;
	}

	static String newName() {
		return "app" + names.incrementAndGet();
	}

	String name() {
		return this.name;
	}

	int port() {
		return this.server.zooKeeper.getPort();
	}

	String connectString() {
		return this.server.zooKeeper.getConnectString();
	}

	ZooKeeperSettings settings() {
		return settings(connectString());
	}

	static ZooKeeperSettings settings(String connectString) {
		return new ZooKeeperSettings(connectString, null, Duration.ofSeconds(6), Duration.ofSeconds(10));
	}

	/**
	 * Returns a store that is not yet open.
	 */
	ZooKeeperWorkerLeaseStore store(String host, String port) {
		return store(settings(), host, port);
	}

	ZooKeeperWorkerLeaseStore store(ZooKeeperSettings settings, String host, String port) {
		return closing(ZooKeeperWorkerLeaseStore.connectingTo(settings, this.name, host, port));
	}

	ZooKeeperWorkerLeaseStore open(String host, String port) {
		ZooKeeperWorkerLeaseStore store = store(host, port);
		store.open(SnowflakeLayout.LEAF);
		return store;
	}

	/**
	 * Returns a store that is not yet open, with a client of the application.
	 */
	ZooKeeperWorkerLeaseStore store(CuratorFramework client, String host) {
		return closing(new ZooKeeperWorkerLeaseStore(client, this.name, host, "8080"));
	}

	CuratorFramework startClient(String connectString) {
		CuratorFramework client = closing(CuratorFrameworkFactory.newClient(connectString, new RetryOneTime(100)));
		client.start();
		return client;
	}

	MeituanLeafSnowflake leaf(String ip, String port) {
		return closing(new MeituanLeafSnowflake(connectString(), this.name, ip, port));
	}

	CuratorFramework client() {
		return this.server.client;
	}

	String path(String below) {
		return "/snowflake/" + this.name + "/" + below;
	}

	List<String> children(String below) throws Exception {
		return client().getChildren().forPath(path(below)).stream().sorted().toList();
	}

	String content(String below) throws Exception {
		return new String(client().getData().forPath(path(below)), StandardCharsets.UTF_8);
	}

	Stat stat(String below) throws Exception {
		return client().checkExists().forPath(path(below));
	}

	void write(String below, String content) throws Exception {
		client().create()
			.orSetData()
			.creatingParentsIfNeeded()
			.forPath(path(below), content.getBytes(StandardCharsets.UTF_8));
	}

	void delete(String below) throws Exception {
		client().delete().deletingChildrenIfNeeded().forPath(path(below));
	}

	private static final class Server implements AutoCloseable {

		private final TestingServer zooKeeper;

		private final CuratorFramework client;

		Server() {
			try {
				this.zooKeeper = newServer();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			this.client = CuratorFrameworkFactory.newClient(this.zooKeeper.getConnectString(), new RetryOneTime(100));
			this.client.start();
		}

		@Override
		public void close() throws IOException {
			this.client.close();
			this.zooKeeper.close();
		}

	}

}
