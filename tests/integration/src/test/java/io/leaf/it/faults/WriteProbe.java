// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.leaf.test.server.DatabaseCluster;
import io.leaf.test.server.JdbcUrls;
import io.leaf.test.server.LocalServer;

/**
 * Writes to each member of a cluster all the time, and measures how long none of them
 * takes a write.
 */
final class WriteProbe implements AutoCloseable {

	private static final long PAUSE_NANOS = 20_000_000;

	private static final Duration PATIENCE = Duration.ofMillis(1_000);

	private final String database;

	private final List<Thread> threads = new ArrayList<>();

	private long lastWrite = System.nanoTime();

	private long longestGap;

	private volatile boolean closed;

	/**
	 * Creates a probe, and starts it.
	 * @param database the name of the database that it may use
	 */
	WriteProbe(DatabaseCluster cluster, String database) throws SQLException {
		this.database = database;
		try (Connection connection = connect(cluster.primary()); Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE probe (id INT PRIMARY KEY, writes INT)");
			for (int i = 0; i < cluster.members().size(); i++) {
				statement.execute("INSERT INTO probe VALUES (%d, 0)".formatted(i));
			}
		}
		for (LocalServer member : cluster.members()) {
			String update = "UPDATE probe SET writes = writes + 1 WHERE id = " + this.threads.size();
			Thread thread = new Thread(() -> write(member, update), "write-probe-" + this.threads.size());
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	private Connection connect(LocalServer member) throws SQLException {
		return member.connect(JdbcUrls.withTimeout(JdbcUrls.withDatabase(member.jdbcUrl(), this.database), PATIENCE));
	}

	private void write(LocalServer member, String update) {
		while (!this.closed) {
			try (Connection connection = connect(member); Statement statement = connection.createStatement()) {
				while (!this.closed && statement.executeUpdate(update) == 1 && statement.getWarnings() == null) {
					written();
					LockSupport.parkNanos(PAUSE_NANOS);
				}
			}
			catch (SQLException ex) {
				// the member takes no writes: that is what is measured
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
	}

	private synchronized void written() {
		long now = System.nanoTime();
		this.longestGap = Math.max(this.longestGap, now - this.lastWrite);
		this.lastWrite = now;
	}

	synchronized void forgetGaps() {
		this.longestGap = 0;
	}

	/**
	 * Returns the longest time without a write that was confirmed, up to the last one.
	 */
	synchronized Duration longestGap() {
		return Duration.ofNanos(this.longestGap);
	}

	synchronized long lastWrite() {
		return this.lastWrite;
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
