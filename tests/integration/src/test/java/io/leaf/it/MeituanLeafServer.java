// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.snowflake.lease.zookeeper.MeituanLeafSnowflake;

/**
 * A stand-in for a server of Meituan's Leaf, as published on GitHub in 2020: it does the
 * same to its table and its tree, and issues the same kind of IDs. It is configured by
 * its {@code leaf.properties}.
 */
final class MeituanLeafServer implements AutoCloseable {

	private static final long EPOCH = 1288834974657L;

	private static final int MAX_WORKER_ID = 1023;

	private static final int MAX_SEQUENCE = 4095;

	private final HikariDataSource pool;

	private final MeituanLeafSegments segments;

	private final MeituanLeafSnowflake node;

	private final ScheduledExecutorService reports = Executors.newSingleThreadScheduledExecutor();

	private final AtomicInteger reported = new AtomicInteger();

	private long lastTimestamp = -1;

	private long sequence;

	private MeituanLeafServer(Properties properties, String ip, String port) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(properties.getProperty("leaf.jdbc.url"));
		config.setUsername(properties.getProperty("leaf.jdbc.username"));
		config.setPassword(properties.getProperty("leaf.jdbc.password"));
		this.pool = new HikariDataSource(config);
		this.segments = new MeituanLeafSegments(this.pool);
		this.node = new MeituanLeafSnowflake(properties.getProperty("leaf.snowflake.zk.address"),
				properties.getProperty("leaf.name"), ip, port);
	}

	/**
	 * Starts a server with both modes enabled.
	 * @param file its {@code leaf.properties}
	 * @param ip the address of its machine
	 * @throws Exception if the server does not start
	 */
	static MeituanLeafServer start(Path file, String ip) throws Exception {
		Properties properties = read(file);
		return start(properties, ip, properties.getProperty("leaf.snowflake.port"));
	}

	/**
	 * Starts a server with another port than the {@code leaf.snowflake.port} of the file.
	 */
	static MeituanLeafServer start(Path file, String ip, String port) throws Exception {
		return start(read(file), ip, port);
	}

	private static Properties read(Path file) throws IOException {
		Properties properties = new Properties();
		try (InputStream in = Files.newInputStream(file)) {
			properties.load(in);
		}
		return properties;
	}

	private static MeituanLeafServer start(Properties properties, String ip, String port) throws Exception {
		MeituanLeafServer server = new MeituanLeafServer(properties, ip, port);
		try {
			server.segments.start();
			server.node.start();
			if (server.workerId() > MAX_WORKER_ID) {
				throw new IllegalStateException("workerID must gte 0 and lte 1023");
			}
		}
		catch (Exception ex) {
			server.close();
			throw ex;
		}
		server.reports.scheduleWithFixedDelay(server::report, 1, 3, TimeUnit.SECONDS);
		return server;
	}

	private void report() {
		try {
			this.node.report();
			this.reported.incrementAndGet();
		}
		catch (Exception ex) {
			// the server also ignores this, and continues
		}
	}

	/**
	 * Returns how often this server has reported the time.
	 */
	int reports() {
		return this.reported.get();
	}

	int workerId() {
		return this.node.workerId();
	}

	/**
	 * Returns an ID of a key, or a negative code.
	 */
	long segmentId(String key) {
		return this.segments.get(key);
	}

	/**
	 * Returns an ID, or a negative code if the clock has moved backwards.
	 */
	synchronized long snowflakeId() {
		long timestamp = System.currentTimeMillis();
		if (timestamp < this.lastTimestamp) {
			return -3;
		}
		if (timestamp == this.lastTimestamp) {
			this.sequence = (this.sequence + 1) & MAX_SEQUENCE;
			if (this.sequence == 0) {
				this.sequence = ThreadLocalRandom.current().nextInt(100);
				while (timestamp <= this.lastTimestamp) {
					timestamp = System.currentTimeMillis();
				}
			}
		}
		else {
			this.sequence = ThreadLocalRandom.current().nextInt(100);
		}
		this.lastTimestamp = timestamp;
		return ((timestamp - EPOCH) << 22) | ((long) workerId() << 12) | this.sequence;
	}

	/**
	 * Ends the server without giving numbers back, as the end of its process does.
	 */
	@Override
	public void close() {
		this.reports.shutdownNow();
		this.segments.close();
		this.node.close();
		this.pool.close();
	}

}
