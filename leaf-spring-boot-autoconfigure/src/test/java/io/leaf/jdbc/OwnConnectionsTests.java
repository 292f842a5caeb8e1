// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OwnConnections} on drivers with an uncommon behaviour.
 */
class OwnConnectionsTests {

	@Test
	void aConnectionThatTheDriverCannotAbortGetsItsSettingsBack() throws SQLException {
		try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:abort")) {
			connection.setAutoCommit(false);
			JdbcSegmentStore store = new JdbcSegmentStore(
					new SingleConnectionDataSource(withoutAbort(connection), true), new TableName("leaf_alloc"));
			assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(store::findAll);
			assertThat(connection.getAutoCommit()).isFalse();
		}
	}

	private static Connection withoutAbort(Connection connection) {
		return (Connection) Proxy.newProxyInstance(OwnConnectionsTests.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("abort")) {
						throw new UnsupportedOperationException();
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

}
