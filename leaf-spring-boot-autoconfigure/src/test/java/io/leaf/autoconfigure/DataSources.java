// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Data sources of test applications.
 */
public final class DataSources {

	private DataSources() {
	}

	/**
	 * A {@code DataSource} of the application from which no pool can be derived.
	 */
	public static DataSource notHikari(String url) {
		return new DriverManagerDataSource(url, MemoryDatabase.USERNAME, "");
	}

	public static HikariDataSource hikari(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername(MemoryDatabase.USERNAME);
		pool.setPassword("");
		return pool;
	}

	/**
	 * A database that reports another product name.
	 */
	public static DataSource calling(String url, String product) {
		return new DriverManagerDataSource(url, MemoryDatabase.USERNAME, "") {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return proxy(Connection.class, connection, "getMetaData",
						proxy(DatabaseMetaData.class, connection.getMetaData(), "getDatabaseProductName", product));
			}

		};
	}

	private static <T> T proxy(Class<T> type, T target, String method, Object answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, called,
				arguments) -> called.getName().equals(method) ? answer : called.invoke(target, arguments)));
	}

	/**
	 * Counts its connections, and refuses to open one after it has been closed.
	 */
	public static final class Closing extends DriverManagerDataSource implements AutoCloseable {

		final AtomicInteger connections = new AtomicInteger();

		private volatile boolean closed;

		public Closing(String url) {
			super(url, MemoryDatabase.USERNAME, "");
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.closed) {
				throw new SQLException("closed");
			}
			this.connections.incrementAndGet();
			return super.getConnection();
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

}
