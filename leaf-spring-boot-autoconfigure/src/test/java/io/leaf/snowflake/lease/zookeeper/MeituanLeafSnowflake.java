// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.CreateMode;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Behaves in ZooKeeper like a server of Meituan's Leaf as published on GitHub in 2020,
 * including its bugs. It has no local file, as at its first start on a machine.
 */
public final class MeituanLeafSnowflake implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	private final CuratorFramework client;

	private final String forever;

	private final String ip;

	private final String port;

	private final String label;

	private LongSupplier clock = System::currentTimeMillis;

	private int workerId;

	private String node;

	private long lastReport;

	/**
	 * Creates a server that has not been started.
	 * @param connectString the connect string of ZooKeeper
	 * @param name the {@code leaf.name}. If it contains a dash, the server can start only
	 * if its node exists
	 * @param ip the first part of its identity
	 * @param port the second part, {@code leaf.snowflake.port}
	 */
	public MeituanLeafSnowflake(String connectString, String name, String ip, String port) {
		this.client = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.retryPolicy(new RetryUntilElapsed(1000, 4))
			.connectionTimeoutMs(10000)
			.sessionTimeoutMs(6000)
			.build();
		this.client.start();
		this.forever = "/snowflake/" + name + "/forever";
		this.ip = ip;
		this.port = port;
		this.label = ip + ":" + port;
	}

	/**
	 * Sets the clock of the server.
	 */
	public void clock(LongSupplier millis) {
		this.clock = millis;
	}

	/**
	 * Finds or creates the node of this server.
	 */
	public void start() throws Exception {
		if (this.client.checkExists().forPath(this.forever) == null) {
			// the number of the node is ignored: the worker ID stays 0
			this.node = create();
			return;
		}
		Map<String, Integer> numbers = new HashMap<>();
		Map<String, String> names = new HashMap<>();
		for (String child : this.client.getChildren().forPath(this.forever)) {
			String[] parts = child.split("-");
			names.put(parts[0], child);
			numbers.put(parts[0], Integer.parseInt(parts[1]));
		}
		if (numbers.containsKey(this.label)) {
			this.node = this.forever + "/" + names.get(this.label);
			this.workerId = numbers.get(this.label);
			String content = new String(this.client.getData().forPath(this.node), StandardCharsets.UTF_8);
			if (JSON.readValue(content, Endpoint.class).timestamp() > this.clock.getAsLong()) {
				throw new IllegalStateException("init timestamp check error");
			}
			return;
		}
		this.node = create();
		this.workerId = Integer.parseInt(this.node.split("-")[1]);
	}

	/**
	 * Starts like a server that finds no tree, although another process then creates the
	 * tree before the server does.
	 */
	public void startAfterSeeingNoTree(Runnable others) throws Exception {
		if (this.client.checkExists().forPath(this.forever) != null) {
			throw new IllegalStateException(this.forever + " exists");
		}
		others.run();
		this.node = create();
	}

	private String create() throws Exception {
		return this.client.create()
			.creatingParentsIfNeeded()
			.withMode(CreateMode.PERSISTENT_SEQUENTIAL)
			.forPath(this.forever + "/" + this.label + "-", content());
	}

	/**
	 * Reports the time, as the server does every three seconds.
	 */
	public void report() throws Exception {
		if (this.clock.getAsLong() < this.lastReport) {
			return;
		}
		this.client.setData().forPath(this.node, content());
		this.lastReport = this.clock.getAsLong();
	}

	private byte[] content() {
		return "{\"ip\":\"%s\",\"port\":\"%s\",\"timestamp\":%d}".formatted(this.ip, this.port, this.clock.getAsLong())
			.getBytes(StandardCharsets.UTF_8);
	}

	public int workerId() {
		return this.workerId;
	}

	public String node() {
		return this.node;
	}

	@Override
	public void close() {
		this.client.close();
	}

	/**
	 * The content of a node.
	 *
	 * @param ip the first part of the server's identity
	 * @param port the second part
	 * @param timestamp the time it reported
	 */
	record Endpoint(String ip, String port, long timestamp) {

	}

}
