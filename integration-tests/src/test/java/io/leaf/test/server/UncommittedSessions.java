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

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Sessions of MySQL or MariaDB that, from some time on, do not commit each statement, as
 * with a pool whose initial statement says so. Each connection is a new one.
 */
public final class UncommittedSessions extends DriverManagerDataSource {

	private volatile boolean commits = true;

	/**
	 * Creates sessions that commit.
	 * @param pool whose database and credentials they use
	 */
	public UncommittedSessions(HikariDataSource pool) {
		super(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
	}

	/**
	 * Has the sessions that begin from now on not commit.
	 */
	public void stopCommitting() {
		this.commits = false;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		if (!this.commits) {
			try (Statement statement = connection.createStatement()) {
				statement.execute("SET autocommit = 0");
			}
		}
		return connection;
	}

}
