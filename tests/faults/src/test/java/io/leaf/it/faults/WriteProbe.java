// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.sql.Connection;
import java.sql.DriverManager;
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
 * Writes to each member of a cluster all the time, and measures how long no member
 * accepts a write. In addition, plain clients connect in the same way as the applications
 * and update one shared row. Each of them measures how long it waits for a commit, to
 * show what a fault costs an application that does not use Leaf.
 */
final class WriteProbe implements AutoCloseable {

	private static final long PAUSE_NANOS = 20_000_000;

	private static final Duration PATIENCE = Duration.ofMillis(1_000);

	/** How often a plain client writes: about as often as an application allocates. */
	private static final long CLIENT_PAUSE_NANOS = 150_000_000;

	/** The timeout that Leaf's pool sets. */
	private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(3);

	private final String database;

	private final Gap members = new Gap();

	private final List<Gap> clients = new ArrayList<>();

	private volatile boolean closed;

	/**
	 * Creates a probe, and starts it.
	 * @param database the name of the database that it may use
	 * @param clients the number of plain clients
	 */
	WriteProbe(DatabaseCluster cluster, String database, int clients) throws SQLException {
		this.database = database;
		try (Connection connection = connect(cluster.primary()); Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE probe (id INT PRIMARY KEY, writes INT)");
			for (int i = 0; i <= cluster.members().size(); i++) {
				statement.execute("INSERT INTO probe VALUES (%d, 0)".formatted(i));
			}
		}
		int id = 0;
		for (LocalServer member : cluster.members()) {
			start(() -> connect(member), id++, PAUSE_NANOS, this.members);
		}
		for (int i = 0; i < clients; i++) {
			String url = JdbcUrls.withTimeout(cluster.jdbcUrl(database, i), CLIENT_PATIENCE);
			Gap gap = new Gap();
			this.clients.add(gap);
			start(() -> DriverManager.getConnection(url, cluster.username(), cluster.password()), id,
					CLIENT_PAUSE_NANOS, gap);
		}
	}

	private Connection connect(LocalServer member) throws SQLException {
		return member.connect(JdbcUrls.withTimeout(JdbcUrls.withDatabase(member.jdbcUrl(), this.database), PATIENCE));
	}

	private void start(Connector connector, int id, long pauseNanos, Gap gap) {
		String update = "UPDATE probe SET writes = writes + 1 WHERE id = " + id;
		Thread thread = new Thread(() -> write(connector, update, pauseNanos, gap), "write-probe-" + id);
		thread.setDaemon(true);
		thread.start();
	}

	private void write(Connector connector, String update, long pauseNanos, Gap gap) {
		while (!this.closed) {
			try (Connection connection = connector.connect(); Statement statement = connection.createStatement()) {
				while (!this.closed && statement.executeUpdate(update) == 1 && statement.getWarnings() == null) {
					gap.written();
					LockSupport.parkNanos(pauseNanos);
				}
			}
			catch (SQLException ex) {
				// the server does not accept writes, which is what the probe measures
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
	}

	void forgetGaps() {
		this.members.forget();
		this.clients.forEach(Gap::forget);
	}

	/**
	 * Returns the longest time in which no member has confirmed a write, up to the last
	 * confirmed write.
	 */
	Duration longestGap() {
		return this.members.longest();
	}

	/**
	 * Returns the same for each plain client, in ascending order.
	 */
	List<Duration> clientGaps() {
		return this.clients.stream().map(Gap::longest).sorted().toList();
	}

	long lastWrite() {
		return this.members.lastWrite();
	}

	@Override
	public void close() {
		this.closed = true;
	}

	/**
	 * A way to connect.
	 */
	private interface Connector {

		Connection connect() throws SQLException;

	}

	/**
	 * The longest time between two writes that were confirmed.
	 */
	private static final class Gap {

		private long last = System.nanoTime();

		private long longest;

		synchronized void written() {
			long now = System.nanoTime();
			this.longest = Math.max(this.longest, now - this.last);
			this.last = now;
		}

		synchronized void forget() {
			this.longest = 0;
		}

		synchronized Duration longest() {
			return Duration.ofNanos(this.longest);
		}

		synchronized long lastWrite() {
			return this.last;
		}

	}

}
