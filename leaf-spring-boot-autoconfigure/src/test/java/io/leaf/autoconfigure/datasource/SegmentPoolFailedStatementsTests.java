// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Set;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Datasource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SegmentPool}: the treatment of a connection on which a statement has
 * failed. They run on each supported version of HikariCP.
 */
class SegmentPoolFailedStatementsTests {

	private static final Datasource NO_OVERRIDES = new Datasource(null, null, null);

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	@ParameterizedTest
	@CsvSource({ "HY000, 1290", "25006, 0", "42S02, 0", "40001, 0", ", 0", "08S01, 0" })
	void connectionOnWhichAStatementFailedIsNotUsedAgain(@Nullable String state, int code) throws Exception {
		assertThat(isKeptAfter(new SQLException("read-only", state, code))).isFalse();
	}

	@Test
	void connectionIsKeptIfTheDataCausedTheFailure() throws Exception {
		assertThat(isKeptAfter(new SQLException("There is such a row", "23505"))).isTrue();
	}

	@Test
	void connectionIsKeptIfTheDriverLacksAFeature() throws Exception {
		assertThat(isKeptAfter(new SQLFeatureNotSupportedException("no timeout"))).isTrue();
	}

	private boolean isKeptAfter(SQLException failure) throws Exception {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setJdbcUrl(this.database.url());
			application.setDataSource(new Failing(this.database.url(), failure));
			try (ConnectionSource segment = SegmentPool.like(application, NO_OVERRIDES)) {
				Connection failed;
				try (Connection connection = segment.dataSource().getConnection();
						Statement statement = connection.createStatement()) {
					failed = connection.unwrap(Connection.class);
					assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.executeUpdate("UPDATE"))
						.isSameAs(failure);
				}
				// all connections that the pool may have
				try (Connection one = segment.dataSource().getConnection();
						Connection other = segment.dataSource().getConnection()) {
					return Set.of(one.unwrap(Connection.class), other.unwrap(Connection.class)).contains(failed);
				}
			}
		}
	}

	/**
	 * A database on which every update fails.
	 */
	private static final class Failing extends DriverManagerDataSource {

		private final SQLException failure;

		Failing(String url, SQLException failure) {
			super(url, MemoryDatabase.USERNAME, "");
			this.failure = failure;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return failing(Connection.class, super.getConnection());
		}

		private <T> T failing(Class<T> type, T target) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> switch (method.getName()) {
						case "executeUpdate" -> throw this.failure;
						case "createStatement" ->
							failing(Statement.class, (Statement) method.invoke(target, arguments));
						case "equals" -> proxy == arguments[0];
						default -> method.invoke(target, arguments);
					}));
		}

	}

}
