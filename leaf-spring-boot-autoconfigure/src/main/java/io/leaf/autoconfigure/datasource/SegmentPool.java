// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.naming.NamingException;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.util.DriverDataSource;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Datasource;
import io.leaf.autoconfigure.properties.LeafStartupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.NativeDetector;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jndi.JndiTemplate;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Creates Leaf's private pool, so that a fetch never waits for a connection that callers
 * of the generator hold. The pool has up to two connections, and closes them soon after
 * they become idle, except for one connection to an in-memory database.
 * <p>
 * HikariCP is optional. The only other classes that use its types are
 * {@link FastReconnectPool} and, after a check that HikariCP is present,
 * {@link ConnectionSourceSelector}.
 */
final class SegmentPool {

	private static final Logger logger = LoggerFactory.getLogger(SegmentPool.class);

	private static final int MAX_CONNECTIONS = 2;

	/**
	 * The shortest idle timeout that HikariCP accepts.
	 */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * How long a thread waits for HikariCP to provide a connection. After this time, it
	 * gets an exception that states why the pool could not connect. A fetch then makes
	 * another attempt. Meanwhile, the pool continues to connect in the background. While
	 * the database is unavailable, {@link FastReconnectPool} makes threads wait longer.
	 */
	private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * How long a driver waits for a network connection to a host, and for each answer of
	 * the host while the driver logs in. Applies only if the application sets no such
	 * limit. Statements have limits of their own.
	 */
	private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

	/**
	 * How long PostgreSQL's driver may take to request that the server cancel a statement
	 * that has timed out. The thread that executes the statement waits meanwhile. With
	 * the driver's default, the thread would wait ten seconds for a server that is
	 * frozen. The wait would be useless, because the connection is closed afterwards in
	 * any case.
	 */
	private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * The connection timeout for a database in this process. Such a database is always
	 * available, but on a busy machine the first connection may take seconds. If it takes
	 * longer than this timeout, Leaf's tables are not created.
	 */
	private static final Duration IN_MEMORY_CONNECTION_TIMEOUT = Duration.ofSeconds(30);

	/**
	 * Whether HikariCP has credentials providers. HikariCP 6, which Spring Boot 3.5 uses,
	 * has none.
	 */
	private static final boolean PROVIDERS = ClassUtils.hasMethod(HikariConfig.class, "getCredentialsProvider");

	/**
	 * The prefix of MySQL URLs that list a source server and its replicas.
	 */
	private static final String REPLICATION = "jdbc:mysql:replication:";

	/**
	 * Wrappers of Spring that return the connections of their target unchanged.
	 */
	private static final Set<String> DELEGATING = Set.of("org.springframework.jdbc.datasource.DelegatingDataSource",
			"org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy",
			"org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy");

	/**
	 * Wrappers of OpenTelemetry, which only observe the statements. Both hold their
	 * target in the field {@code delegate}. Wrappers of datasource-proxy and P6Spy are
	 * not listed, because their listeners may change the connections or the statements.
	 */
	private static final Set<String> OBSERVING = Set.of(
			"io.opentelemetry.instrumentation.jdbc.datasource.OpenTelemetryDataSource",
			"io.opentelemetry.instrumentation.spring.autoconfigure.internal.instrumentation.jdbc.DataSourcePostProcessor$DataSource$$Wrapper");

	private static final Set<String> CREDENTIALS = Set.of("getUsername", "getPassword", "getCredentials",
			"getCredentialsProvider");

	private SegmentPool() {
	}

	/**
	 * Creates a pool with the connection settings of the application's pool, except for
	 * credentials that are overridden.
	 */
	static ConnectionSource like(HikariDataSource application, Datasource overrides) {
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
		return create(config, application, overrides, () -> password(application));
	}

	/**
	 * Creates a pool for a JDBC URL. If the URL contains no user name, credentials that
	 * are not overridden come from the application: from its HikariCP pool or, without
	 * such a pool, from {@code spring.datasource.*}.
	 */
	static ConnectionSource to(String url, Supplier<@Nullable DataSource> application, Environment environment,
			Datasource overrides) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		if (JdbcLocation.hasCredentials(url) || (overrides.username() != null && overrides.password() != null)) {
			return create(config, config, overrides, () -> null);
		}
		DataSource dataSource = application.get();
		HikariDataSource pool = (dataSource != null)
				? DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class) : null;
		if (pool != null) {
			return create(config, pool, overrides, () -> null);
		}
		config.setUsername(environment.getProperty("spring.datasource.username"));
		config.setPassword(environment.getProperty("spring.datasource.password"));
		return create(config, config, overrides, () -> null);
	}

	/**
	 * Creates a pool.
	 * @param credentials provides the credentials that are not overridden
	 * @param password provides the password of connections whose user name is in the URL
	 * or a driver property. Not used if the password is overridden, or is a driver
	 * property
	 */
	private static ConnectionSource create(HikariConfig config, HikariConfig credentials, Datasource overrides,
			Supplier<@Nullable String> password) {
		String url = url(config);
		DatabaseDriver database = DatabaseDriver.fromJdbcUrl(url);
		boolean inMemory = EmbeddedDatabaseConnection.isEmbedded(database.getDriverClassName(), url);
		config.setPoolName("leaf-segment");
		config.setMaximumPoolSize(MAX_CONNECTIONS);
		// an in-memory database is lost when its last connection is closed, which may be
		// the connection of this pool
		config.setMinimumIdle(inMemory ? 1 : 0);
		config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
		config.setConnectionTimeout((inMemory ? IN_MEMORY_CONNECTION_TIMEOUT : CONNECTION_TIMEOUT).toMillis());
		// if the database is unavailable at startup, the generators decide whether
		// startup fails, not the pool
		config.setInitializationFailTimeout(-1);
		config.setExceptionOverride(
				(url != null && url.startsWith(REPLICATION)) ? new ClosedConnections() : new FailedStatements());
		if (database == DatabaseDriver.POSTGRESQL) {
			// at a higher isolation level, an update that has waited for another update
			// of the same row would fail
			config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		}
		if (PROVIDERS && credentials.getCredentialsProvider() != null) {
			HikariCredentialsProvider provider = credentials.getCredentialsProvider();
			config.setCredentialsProvider(() -> FastReconnectPool.override(provider.getCredentials(), overrides));
		}
		String location = null;
		if (config.getDataSource() != null) {
			config.setDataSource(new Connections(config.getDataSource(), () -> null));
		}
		else if (url != null) {
			location = database(url, config);
			Properties properties = withTimeouts(url, database, config.getDataSourceProperties());
			String set = (overrides.password() != null) ? overrides.password() : properties.getProperty("password");
			config.setDataSource(new Connections(driver(url, database, config.getDriverClassName(), properties),
					(set != null) ? () -> set : password));
		}
		else if (config.getDataSourceClassName() == null && config.getDataSourceJNDI() != null) {
			config.setDataSource(new Connections(lookUp(config.getDataSourceJNDI()), () -> null));
		}
		HikariDataSource pool = new FastReconnectPool(config, credentials, overrides);
		return new ConnectionSource(pool, location, pool::close);
	}

	/**
	 * Returns a text that names the database of a pool, for the log.
	 */
	// the parameter is not a HikariConfig, which would be loaded with the class of the
	// caller, even without HikariCP
	static String location(HikariDataSource pool) {
		String url = url(pool);
		return (url != null) ? JdbcLocation.of(url) : "the same database";
	}

	/**
	 * Returns the URL of a pool, or {@code null} if HikariCP does not use it, because the
	 * pool has a {@code DataSource} or the class of one.
	 */
	private static @Nullable String url(HikariConfig config) {
		boolean isUsed = config.getDataSource() == null && config.getDataSourceClassName() == null;
		return isUsed ? config.getJdbcUrl() : null;
	}

	private static @Nullable String database(String url, HikariConfig config) {
		String database = JdbcLocation.identity(url);
		String sql = config.getConnectionInitSql();
		Map<String, @Nullable Object> schema = new LinkedHashMap<>();
		schema.put("catalog", config.getCatalog());
		schema.put("schema", config.getSchema());
		schema.put("currentSchema", config.getDataSourceProperties().get("currentSchema"));
		schema.put("options", config.getDataSourceProperties().get("options"));
		// a hash code instead of the statement, which may contain a secret
		schema.put("connectionInitSql", (sql != null) ? "#" + Integer.toHexString(sql.hashCode()) : null);
		schema.values().removeIf(Objects::isNull);
		return (database == null || schema.isEmpty()) ? database : "%s, %s".formatted(database, schema);
	}

	// Reads the password from the same method as HikariCP.
	private static @Nullable String password(HikariConfig config) {
		HikariCredentialsProvider provider = PROVIDERS ? config.getCredentialsProvider() : null;
		if (provider != null) {
			return provider.getCredentials().getPassword();
		}
		return Boolean.getBoolean("com.zaxxer.hikari.legacy.supportUserPassDataSourceOverride") ? config.getPassword()
				: config.getCredentials().getPassword();
	}

	private static DataSource lookUp(String name) {
		try {
			return new JndiTemplate().lookup(name, DataSource.class);
		}
		catch (NamingException ex) {
			throw new LeafStartupException(
					"The HikariCP pool of the application has the JNDI name '%s', under which there is no DataSource."
						.formatted(name),
					"Correct the name, or set leaf.segment.datasource.url.", ex);
		}
	}

	// Loads the driver class with the class loader of the application. DriverManager
	// alone would look for drivers with the context class loader of the thread that first
	// uses DriverManager.
	private static DataSource driver(String url, DatabaseDriver database, @Nullable String name,
			Properties properties) {
		if (name != null) {
			// DriverManager would take any registered driver that accepts the URL
			try {
				return new DriverDataSource(url, name, properties, null, null);
			}
			catch (RuntimeException ex) {
				// the message of this exception may contain a password
				throw new LeafStartupException("The driver %s cannot be loaded, or does not accept the URL of %s."
					.formatted(name, JdbcLocation.of(url)), "Correct spring.datasource.driver-class-name or the URL.");
			}
		}
		DriverManagerDataSource driver = new DriverManagerDataSource(url, properties);
		if (ClassUtils.isPresent(String.valueOf(database.getDriverClassName()), null)) {
			driver.setDriverClassName(String.valueOf(database.getDriverClassName()));
		}
		return driver;
	}

	// Sets timeouts, because the pool does not pass its login timeout to the driver (see
	// Connections). Without timeouts, a host that accepts a connection and then does not
	// answer would keep the driver from trying the other hosts of the URL.
	private static Properties withTimeouts(String url, DatabaseDriver database, Properties configured) {
		Map<String, Duration> timeouts = switch (database) {
			case MYSQL, MARIADB -> Map.of("connectTimeout", ANSWER_TIMEOUT, "socketTimeout", ANSWER_TIMEOUT);
			case POSTGRESQL -> Map.of("connectTimeout", ANSWER_TIMEOUT, "socketTimeout", ANSWER_TIMEOUT,
					"cancelSignalTimeout", CANCEL_TIMEOUT);
			default -> Map.of();
		};
		// MySQL's driver ignores the letter case of property names
		String set = (url + configured.keySet()).toLowerCase(Locale.ROOT);
		Properties properties = new Properties();
		timeouts.forEach((name, timeout) -> {
			if (!set.contains(name.toLowerCase(Locale.ROOT))) {
				properties.setProperty(name, Long
					.toString((database == DatabaseDriver.POSTGRESQL) ? timeout.toSeconds() : timeout.toMillis()));
			}
		});
		properties.putAll(configured);
		return properties;
	}

	/**
	 * Returns the HikariCP pool whose connections a {@code DataSource} returns unchanged,
	 * or {@code null} if it wraps no such pool. Other wrappers and subclasses may return
	 * connections with another schema or user, or to another database. Which ones they
	 * return may depend on the thread, or change at any time.
	 */
	static @Nullable HikariDataSource behind(DataSource dataSource) {
		if (dataSource instanceof HikariDataSource pool) {
			return returnsOwnConnections(pool.getClass()) ? pool : null;
		}
		String type = dataSource.getClass().getName();
		if (dataSource instanceof DelegatingDataSource wrapper && DELEGATING.contains(type)) {
			DataSource target = wrapper.getTargetDataSource();
			return (target != null) ? behind(target) : null;
		}
		return (OBSERVING.contains(type) && target(dataSource) instanceof DataSource target) ? behind(target) : null;
	}

	// The wrapper's own method unwrap() would also look through wrappers behind it that
	// may change the connections.
	private static @Nullable Object target(DataSource wrapper) {
		Field target = ReflectionUtils.findField(wrapper.getClass(), "delegate");
		if (target == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(target);
		return ReflectionUtils.getField(target, wrapper);
	}

	// A subclass may provide the credentials, which are also read from it for Leaf's
	// connections. In a native image, the methods of a subclass are unknown.
	private static boolean returnsOwnConnections(Class<?> type) {
		if (type == HikariDataSource.class) {
			return true;
		}
		return !NativeDetector.inNativeImage()
				&& Stream.of(type.getDeclaredMethods())
					.map(Method::getName)
					.noneMatch((name) -> name.startsWith("get") && !CREDENTIALS.contains(name))
				&& returnsOwnConnections(type.getSuperclass());
	}

	/**
	 * Hides the pool's login timeout from the driver, and passes on a password without a
	 * user name.
	 */
	private static final class Connections extends DelegatingDataSource {

		private final Supplier<@Nullable String> password;

		Connections(DataSource target, Supplier<@Nullable String> password) {
			super(target);
			this.password = password;
		}

		// HikariCP calls this method if it has no user name, even if it has a password.
		@Override
		public Connection getConnection() throws SQLException {
			String password = this.password.get();
			return (password != null) ? obtainTargetDataSource().getConnection(null, password) : super.getConnection();
		}

		@Override
		public void setLoginTimeout(int seconds) {
			// Does nothing. The pool calls this method with its own timeout. If the
			// target is a DataSource of the application, this timeout would replace the
			// one that the application has set. A DriverManagerDataSource would throw an
			// exception, which the pool would log.
		}

		/**
		 * Returns how long a closing pool waits for a connection that is being opened. If
		 * this is 0, which is Spring's default, the pool does not wait, and logs a
		 * warning.
		 */
		@Override
		public int getLoginTimeout() {
			return 1;
		}

	}

	/**
	 * Makes HikariCP discard each connection on which a statement has failed, unless only
	 * the data was at fault or the driver lacks a feature. After a switchover, the
	 * connection may lead to a server that has become a replica. Such a server still
	 * answers, but it refuses every update.
	 */
	private static final class FailedStatements implements SQLExceptionOverride {

		@java.lang.Override
		public Override adjudicate(SQLException ex) {
			// if the data was at fault (for example, another process has already added
			// the row), the server accepts updates, so the connection can be kept
			boolean aboutData = String.valueOf(ex.getSQLState()).matches("2[23].*");
			return (aboutData || ex instanceof SQLFeatureNotSupportedException) ? Override.DO_NOT_EVICT
					: Override.MUST_EVICT;
		}

	}

	/**
	 * Makes HikariCP discard a connection only after the driver has closed it. The stores
	 * make the driver close each connection on which a statement has failed. If HikariCP
	 * discarded the connection earlier, a thread of HikariCP would close the connection
	 * while the calling thread still closes the statement. With a replication URL of
	 * MySQL's driver, each of the two threads can then wait forever for a lock that the
	 * other thread holds.
	 */
	private static final class ClosedConnections implements SQLExceptionOverride {

		@java.lang.Override
		public Override adjudicate(SQLException ex) {
			return "08003".equals(ex.getSQLState()) ? Override.MUST_EVICT : Override.DO_NOT_EVICT;
		}

	}

}
