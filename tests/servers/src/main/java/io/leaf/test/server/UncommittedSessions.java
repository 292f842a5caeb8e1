// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Sessions of MySQL or MariaDB that, after {@link #stopCommitting()}, do not commit each
 * statement, as with a pool whose initial statement turns autocommit off. Each connection
 * is new.
 */
public final class UncommittedSessions extends DriverManagerDataSource {

	private volatile boolean commits = true;

	/**
	 * Creates sessions that commit.
	 * @param pool the pool whose database and credentials the sessions use
	 */
	public UncommittedSessions(HikariDataSource pool) {
		super(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
	}

	/**
	 * Turns autocommit off in the sessions that begin from now on.
	 */
	public void stopCommitting() {
		this.commits = false;
	}

	/**
	 * Returns these sessions behind a proxy that sends reads to a server whose sessions
	 * commit.
	 */
	public DataSource behindAProxy() {
		return new AbstractDataSource() {
			@Override
			public Connection getConnection() throws SQLException {
				Connection primary = UncommittedSessions.this.getConnection();
				return divided(primary, UncommittedSessions.super.getConnection());
			}

			@Override
			public Connection getConnection(String username, String password) throws SQLException {
				return getConnection();
			}
		};
	}

	private static Connection divided(Connection primary, Connection replica) {
		return proxy(Connection.class, (method, arguments) -> switch (method.getName()) {
			case "close" -> {
				replica.close();
				yield method.invoke(primary, arguments);
			}
			case "prepareStatement" -> method.invoke(isRead(arguments) ? replica : primary, arguments);
			case "createStatement" -> {
				Statement onReplica = replica.createStatement();
				Object onPrimary = method.invoke(primary, arguments);
				yield proxy(Statement.class, (call, sql) -> call.invoke(isRead(sql) ? onReplica : onPrimary, sql));
			}
			default -> method.invoke(primary, arguments);
		});
	}

	private static boolean isRead(Object @Nullable [] arguments) {
		return arguments != null && arguments.length > 0 && arguments[0] instanceof String sql
				&& sql.startsWith("SELECT") && !sql.endsWith("FOR UPDATE");
	}

	private static <T> T proxy(Class<T> type, Call call) {
		return type.cast(Proxy.newProxyInstance(UncommittedSessions.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> {
					try {
						return call.invoke(method, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				}));
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

	private interface Call {

		@Nullable Object invoke(Method method, Object @Nullable [] arguments) throws Exception;

	}

}
