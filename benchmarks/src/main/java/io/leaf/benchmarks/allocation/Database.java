// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import io.leaf.benchmarks.startup.Samples;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.TcpProxy;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A database server with the table {@code leaf_alloc}, and a network in front of it.
 * Every commit reaches the disk, as by the server's defaults.
 */
final class Database implements AutoCloseable {

	/**
	 * The databases to measure. Each call starts a server.
	 */
	static final List<Supplier<Database>> ALL = List.of(Database::mysql, Database::postgresql);

	private static final int ROUND_TRIPS = 51;

	private final ControllableServer server;

	private final String url;

	private final TcpProxy proxy;

	private Database(ControllableServer server) {
		this.server = server;
		this.url = server.createDatabase("benchmark");
		this.proxy = TcpProxy.inFrontOf(this.url);
		String script = "io/leaf/segment/jdbc/schema-%s.sql".formatted(name().toLowerCase(Locale.ROOT));
		try (Connection connection = server.connect(this.url)) {
			new ResourceDatabasePopulator(new ClassPathResource(script)).populate(connection);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Starts MySQL, or MariaDB in its place unless the build requires MySQL.
	 */
	static Database mysql() {
		return new Database(Databases.startDurableMysql());
	}

	static Database postgresql() {
		return new Database(Databases.startDurablePostgresql());
	}

	/**
	 * Returns the name of the product, without its version.
	 */
	String name() {
		return product().substring(0, product().indexOf(' '));
	}

	/**
	 * Returns name and version of the product.
	 */
	String product() {
		return this.server.product();
	}

	boolean isPostgreSql() {
		return name().equals("PostgreSQL");
	}

	String username() {
		return this.server.username();
	}

	String password() {
		return this.server.password();
	}

	/**
	 * Moves the database away, or back.
	 * @param roundTrip how long an answer takes in addition
	 * @return the JDBC URL over this distance, the database's own if there is none
	 */
	String url(Duration roundTrip) {
		this.proxy.latency(roundTrip.dividedBy(2));
		return roundTrip.isZero() ? this.url : this.proxy.through(this.url);
	}

	/**
	 * Puts a row into the table that nothing has been allocated from.
	 * @param key the row's key
	 * @param step the row's step
	 */
	void addRow(String key, int step) throws SQLException {
		try (Connection connection = this.server.connect(this.url);
				PreparedStatement delete = connection.prepareStatement("DELETE FROM leaf_alloc WHERE biz_tag = ?");
				PreparedStatement insert = connection
					.prepareStatement("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, 1, ?)")) {
			delete.setString(1, key);
			delete.executeUpdate();
			insert.setString(1, key);
			insert.setInt(2, step);
			insert.executeUpdate();
		}
	}

	/**
	 * Returns how long a statement takes that does nothing.
	 * @param url the way to the database
	 * @return milliseconds, the median of some
	 */
	double roundTripMillis(String url) throws SQLException {
		double[] millis = new double[ROUND_TRIPS];
		try (Connection connection = this.server.connect(url); Statement statement = connection.createStatement()) {
			for (int i = 0; i < ROUND_TRIPS; i++) {
				long begin = System.nanoTime();
				statement.executeQuery("SELECT 1").close();
				millis[i] = (System.nanoTime() - begin) / 1e6;
			}
		}
		return Samples.median(millis);
	}

	@Override
	public void close() {
		this.proxy.close();
		this.server.close();
	}

}
