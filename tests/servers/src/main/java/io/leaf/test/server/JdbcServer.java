// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Base class of the servers that tests access by JDBC.
 */
abstract class JdbcServer implements DatabaseServer {

	/**
	 * Distinguishes the databases of this JVM from those of other JVMs on the same
	 * server.
	 */
	private static final String RUN = Integer.toString(new SecureRandom().nextInt(36 * 36 * 36 * 36), 36);

	private static final AtomicInteger DATABASES = new AtomicInteger();

	private volatile @Nullable String product;

	@Override
	public String product() {
		String product = this.product;
		if (product == null) {
			try (Connection connection = connect(jdbcUrl())) {
				product = product(connection.getMetaData());
			}
			catch (SQLException ex) {
				throw new IllegalStateException("No answer from " + jdbcUrl(), ex);
			}
			this.product = product;
		}
		return product;
	}

	/** MySQL's driver reports MySQL for MariaDB as well, so the version decides. */
	private static String product(DatabaseMetaData metadata) throws SQLException {
		String version = metadata.getDatabaseProductVersion();
		String name = version.contains("MariaDB") ? "MariaDB" : metadata.getDatabaseProductName();
		return name + " " + version;
	}

	@Override
	public String createDatabase(String name) {
		String database = unique(name);
		execute("CREATE DATABASE " + database);
		return JdbcUrls.withDatabase(jdbcUrl(), database);
	}

	static String unique(String name) {
		if (!name.matches("[a-z][a-z0-9_]{0,29}")) {
			throw new IllegalArgumentException("Not a valid database name: " + name);
		}
		return name + "_" + RUN + "_" + DATABASES.incrementAndGet();
	}

	final void execute(String sql) {
		try (Connection connection = connect(jdbcUrl()); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Failed on " + jdbcUrl() + ": " + sql, ex);
		}
	}

	@Override
	public String toString() {
		return product() + " at " + jdbcUrl();
	}

}
