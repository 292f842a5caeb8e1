/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.test.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Ways for a test to get at a database of its own.
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
	 * @return the properties {@code spring.datasource.*} with which an application uses
	 * it
	 */
	public static String[] properties(DatabaseServer server, String name) {
		return new String[] { "spring.datasource.url=" + server.createDatabase(name),
				"spring.datasource.username=" + server.username(), "spring.datasource.password=" + server.password() };
	}

}
