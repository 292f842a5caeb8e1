// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import io.leaf.benchmarks.Spread;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.TcpProxy;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A database server with the table {@code leaf_alloc}, behind a proxy that can delay
 * messages. Every commit reaches the disk, as with the server's defaults.
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
	 * Starts MySQL, or MariaDB instead if MySQL is not installed and the build does not
	 * require it.
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
	 * Sets the delay of the proxy.
	 * @param addedRoundTrip the time that the proxy adds to a round trip
	 * @return the JDBC URL through the proxy, or that of the server if nothing is added
	 */
	String url(Duration addedRoundTrip) {
		this.proxy.latency(addedRoundTrip.dividedBy(2));
		return addedRoundTrip.isZero() ? this.url : this.proxy.through(this.url);
	}

	/**
	 * Inserts a row from which nothing has been allocated, in place of an existing one.
	 * @param key the key of the row
	 * @param step the step of the row
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
	 * Measures the duration of a statement that does nothing.
	 * @param url the JDBC URL
	 * @return the median in milliseconds
	 */
	double roundTripMillis(String url) throws SQLException {
		List<Double> millis = new ArrayList<>();
		try (Connection connection = this.server.connect(url); Statement statement = connection.createStatement()) {
			for (int i = 0; i < ROUND_TRIPS; i++) {
				long begin = System.nanoTime();
				statement.executeQuery("SELECT 1").close();
				millis.add((System.nanoTime() - begin) / 1e6);
			}
		}
		return Spread.of(millis).median();
	}

	@Override
	public void close() {
		this.proxy.close();
		this.server.close();
	}

}
