// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.BeanUtils;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link OwnConnections} with drivers that behave unusually.
 */
class OwnConnectionsTests {

	@Test
	void aConnectionThatTheDriverCannotAbortGetsItsSettingsBack() throws SQLException {
		try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:abort")) {
			connection.setAutoCommit(false);
			JdbcSegmentStore store = new JdbcSegmentStore(
					new SingleConnectionDataSource(with(connection, "abort", UnsupportedOperationException::new), true),
					new TableName("leaf_alloc"));
			assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(store::findAll);
			assertThat(connection.getAutoCommit()).isFalse();
		}
	}

	/**
	 * An out-of-memory error or a defect may interrupt a driver while it reads an answer.
	 * The connection then still delivers the rest of the answer.
	 */
	@ParameterizedTest
	@ValueSource(classes = { OutOfMemoryError.class, IndexOutOfBoundsException.class })
	void aConnectionOnWhichTheDriverWasInterruptedIsNotUsedAgain(Class<? extends Throwable> type) throws SQLException {
		Throwable failure = BeanUtils.instantiateClass(type);
		try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:interrupted")) {
			Connection aborting = with(connection, "abort", () -> {
				JdbcUtils.closeConnection(connection);
				return null;
			});
			assertThat(catchThrowable(new JdbcSegmentStore(
					new SingleConnectionDataSource(with(aborting, "createStatement", () -> failure), true),
					new TableName("leaf_alloc"))::findAll))
				.isSameAs(failure);
			assertThat(connection.isClosed()).isTrue();
		}
	}

	@Test
	void aPoolClosesAConnectionOnWhichADriverThatCannotAbortWasInterrupted() throws SQLException {
		Error failure = new OutOfMemoryError("on purpose");
		AtomicReference<@Nullable Throwable> next = new AtomicReference<>(failure);
		try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:interrupted");
				HikariDataSource pool = new HikariDataSource()) {
			pool.setMaximumPoolSize(1);
			pool.setDataSource(new SingleConnectionDataSource(
					with(connection, "createStatement", () -> next.getAndSet(null)), false));
			assertThat(catchThrowable(new JdbcSegmentStore(pool, new TableName("leaf_alloc"))::findAll))
				.isSameAs(failure);
			assertThat(connection.isClosed()).isTrue();
		}
	}

	@Test
	void aPoolClosesAConnectionThatCannotBeResetAndWhoseDriverCannotAbort() throws SQLException {
		AtomicInteger calls = new AtomicInteger();
		try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:reset");
				HikariDataSource pool = new HikariDataSource()) {
			pool.setMaximumPoolSize(1);
			pool.setAutoCommit(false);
			// the first call is that of the pool, and the second one enables auto-commit
			pool.setDataSource(new SingleConnectionDataSource(with(connection, "setAutoCommit",
					() -> (calls.incrementAndGet() == 3) ? new SQLException("on purpose") : null), false));
			assertThatExceptionOfType(SegmentStoreException.class)
				.isThrownBy(new JdbcSegmentStore(pool, new TableName("leaf_alloc"))::findAll);
			assertThat(connection.isClosed()).isTrue();
		}
	}

	/**
	 * Returns a connection one of whose methods first runs an action, and throws the
	 * throwable that the action returns, if any.
	 */
	private static Connection with(Connection connection, String name, Callable<@Nullable Throwable> action) {
		return (Connection) Proxy.newProxyInstance(OwnConnectionsTests.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals(name)) {
						Throwable failure = action.call();
						if (failure != null) {
							throw failure;
						}
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
