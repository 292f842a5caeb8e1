// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Creates databases for tests, and the pools or properties to access them.
 */
public final class Pools {

	private Pools() {
	}

	/**
	 * Opens a pool on a new database.
	 * @param server the server
	 * @param name the beginning of the database's name
	 * @return a pool, to be closed by the caller
	 */
	public static HikariDataSource of(DatabaseServer server, String name) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(server.createDatabase(name));
		config.setUsername(server.username());
		config.setPassword(server.password());
		return new HikariDataSource(config);
	}

	/**
	 * Creates a new database.
	 * @param server the server
	 * @param name the beginning of the database's name
	 * @return the properties {@code spring.datasource.*} of an application that uses the
	 * database
	 */
	public static String[] properties(DatabaseServer server, String name) {
		return new String[] { "spring.datasource.url=" + server.createDatabase(name),
				"spring.datasource.username=" + server.username(), "spring.datasource.password=" + server.password() };
	}

}
