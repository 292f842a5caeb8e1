// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.leaf.autoconfigure.LeafSegmentProperties.Datasource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.ClassUtils;

/**
 * The private pool: up to two connections, none of which is kept while idle, so that a
 * fetch never waits for a connection that the callers of the generator hold. With
 * {@link SoonBackPool} the only class that needs HikariCP.
 */
final class SegmentPool {

	private static final int MAX_CONNECTIONS = 2;

	/**
	 * The shortest that HikariCP accepts.
	 */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * The pool goes on connecting in the background; a fetch that gives up here is told
	 * why and comes back.
	 */
	private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * A database in this process is never unavailable, but on a busy machine its first
	 * connection may take seconds, and if that fails its tables are not created.
	 */
	private static final Duration IN_MEMORY_CONNECTION_TIMEOUT = Duration.ofSeconds(30);

	/**
	 * HikariCP 6, which Spring Boot 3.5 has, knows no providers of credentials.
	 */
	private static final boolean PROVIDERS = ClassUtils.hasMethod(HikariConfig.class, "getCredentialsProvider");

	private SegmentPool() {
	}

	/**
	 * Creates a pool that connects as the application's does, except for credentials that
	 * are overridden.
	 */
	static SegmentDataSource like(HikariDataSource application, Datasource overrides) {
		HikariConfig config = new HikariConfig();
		application.copyStateTo(config);
		if (config.getMetricRegistry() != null) {
			config.setMetricRegistry(null);
		}
		else {
			config.setMetricsTrackerFactory(null);
		}
		config.setHealthCheckRegistry(null);
		config.setScheduledExecutor(null);
		config.setThreadFactory(null);
		config.setRegisterMbeans(false);
		config.setAllowPoolSuspension(false);
		config.setLeakDetectionThreshold(0);
		config.setAutoCommit(true);
		config.setReadOnly(false);
		return create(config, application, overrides);
	}

	/**
	 * Creates a pool for a JDBC URL. Credentials that are not overridden are those of the
	 * application: of its pool, or else of its connection details.
	 */
	static SegmentDataSource to(String url, @Nullable DataSource application, @Nullable ApplicationDatabase details,
			Datasource overrides) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		if (details != null) {
			config.setUsername(details.username());
			config.setPassword(details.password());
		}
		HikariDataSource pool = (application != null) ? behind(application) : null;
		return create(config, (pool != null) ? pool : config, overrides);
	}

	private static SegmentDataSource create(HikariConfig config, HikariConfig credentials, Datasource overrides) {
		String url = config.getJdbcUrl();
		DatabaseDriver database = DatabaseDriver.fromJdbcUrl(url);
		boolean inMemory = EmbeddedDatabaseConnection.isEmbedded(database.getDriverClassName(), url);
		config.setPoolName("leaf-segment");
		config.setMaximumPoolSize(MAX_CONNECTIONS);
		// a database in memory ends with its last connection, which may be ours
		config.setMinimumIdle(inMemory ? 1 : 0);
		config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
		config.setConnectionTimeout((inMemory ? IN_MEMORY_CONNECTION_TIMEOUT : CONNECTION_TIMEOUT).toMillis());
		// the database may be down at startup; leaf.segment.fail-fast decides what
		// follows
		config.setInitializationFailTimeout(-1);
		config.setExceptionOverride(new FailedStatements());
		if (database == DatabaseDriver.POSTGRESQL) {
			// an update that waited for another one would fail at a higher level
			config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		}
		if (PROVIDERS) {
			boolean overridden = overrides.username() != null || overrides.password() != null;
			config.setCredentialsProvider(overridden ? null : credentials.getCredentialsProvider());
		}
		String location = null;
		if (config.getDataSource() != null) {
			config.setDataSource(new Connections(config.getDataSource()));
		}
		else if (url != null && config.getDataSourceClassName() == null) {
			location = database(url, config);
			config.setDataSource(new Connections(driver(url, database, config)));
		}
		HikariDataSource pool = new SoonBackPool(config, credentials, overrides);
		return new SegmentDataSource(pool, location, pool::close);
	}

	private static @Nullable String database(String url, HikariConfig config) {
		String database = JdbcLocation.identity(url);
		String sql = config.getConnectionInitSql();
		Map<String, @Nullable Object> schema = new LinkedHashMap<>();
		schema.put("catalog", config.getCatalog());
		schema.put("schema", config.getSchema());
		schema.put("currentSchema", config.getDataSourceProperties().get("currentSchema"));
		schema.put("options", config.getDataSourceProperties().get("options"));
		// it may hold a secret
		schema.put("connectionInitSql", (sql != null) ? "#" + Integer.toHexString(sql.hashCode()) : null);
		schema.values().removeIf(Objects::isNull);
		return (database == null || schema.isEmpty()) ? database : "%s, %s".formatted(database, schema);
	}

	// DriverManager alone would look for the driver with the class loader of a thread,
	// which is not the one of a packaged application on the library's threads
	private static DataSource driver(String url, DatabaseDriver database, HikariConfig config) {
		DriverManagerDataSource driver = new DriverManagerDataSource(url);
		driver.setConnectionProperties(config.getDataSourceProperties());
		String name = config.getDriverClassName();
		if (name == null && ClassUtils.isPresent(String.valueOf(database.getDriverClassName()), null)) {
			name = database.getDriverClassName();
		}
		if (name != null) {
			driver.setDriverClassName(name);
		}
		return driver;
	}

	/**
	 * Returns the pool behind a {@code DataSource}, or {@code null} if it is another one.
	 */
	static @Nullable HikariDataSource behind(DataSource dataSource) {
		return DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class);
	}

	/**
	 * Keeps the pool's login timeout from the driver.
	 */
	private static final class Connections extends DelegatingDataSource {

		Connections(DataSource target) {
			super(target);
		}

		@Override
		public void setLoginTimeout(int seconds) {
			// A pool sets it on what it is given, and drivers keep it in a static field
			// of DriverManager: ours would replace the application's.
		}

		/**
		 * How long a pool that closes waits for a connection that is just being opened.
		 * It does not wait if this is 0, which is Spring's default, and warns.
		 */
		@Override
		public int getLoginTimeout() {
			return 1;
		}

	}

	/**
	 * Has HikariCP discard each connection on which a statement has failed. After a
	 * switchover the server at its other end may have become a replica, which answers,
	 * and refuses every update until the connection is closed.
	 */
	private static final class FailedStatements implements SQLExceptionOverride {

		@java.lang.Override
		public Override adjudicate(SQLException ex) {
			// such as a row that another process has added before: this server takes
			// updates
			boolean aboutData = String.valueOf(ex.getSQLState()).matches("2[23].*");
			return (aboutData || ex instanceof SQLFeatureNotSupportedException) ? Override.DO_NOT_EVICT
					: Override.MUST_EVICT;
		}

	}

}
