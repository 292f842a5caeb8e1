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

package io.leaf.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Opens the connections of the private pool, with a limit on how long an answer may take.
 * Drivers wait without limit by default, so that one stalled connection would stop the
 * fetches of a key for ever.
 */
final class SegmentConnections extends DelegatingDataSource {

	private static final Logger logger = LoggerFactory.getLogger(SegmentConnections.class);

	/**
	 * Longer than any healthy statement here takes; as long as a fetch may be stuck.
	 */
	private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(10);

	SegmentConnections(DataSource target) {
		super(target);
	}

	@Override
	public Connection getConnection() throws SQLException {
		return limited(super.getConnection());
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return limited(super.getConnection(username, password));
	}

	private static Connection limited(Connection connection) throws SQLException {
		try {
			connection.setNetworkTimeout(Runnable::run, (int) NETWORK_TIMEOUT.toMillis());
		}
		catch (SQLFeatureNotSupportedException ex) {
			logger.debug("The driver has no network timeout", ex);
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
		return connection;
	}

	@Override
	public void setLoginTimeout(int seconds) {
		// A pool sets it on what it is given, and drivers keep it in a static field of
		// DriverManager: ours would replace the application's.
	}

	/**
	 * How long a pool that closes waits for a connection that is just being opened. It
	 * does not wait if this is 0, which is Spring's default, and warns.
	 */
	@Override
	public int getLoginTimeout() {
		return 1;
	}

}
