// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Datasource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.BeanUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link SegmentPool}: the settings that it derives from the application's
 * pool. They run on each supported version of HikariCP.
 */
class SegmentPoolDerivationTests {

	private static final Datasource NO_OVERRIDES = new Datasource(null, null, null);

	/**
	 * Settings that are Leaf's own, or that must not be shared.
	 */
	private static final Set<String> OWN = Set.of("poolName", "maximumPoolSize", "minimumIdle", "idleTimeout",
			"connectionTimeout", "initializationFailTimeout", "exceptionOverride", "dataSource", "autoCommit",
			"readOnly", "leakDetectionThreshold", "registerMbeans", "allowPoolSuspension", "threadFactory",
			"scheduledExecutor", "metricRegistry", "metricsTrackerFactory", "healthCheckRegistry");

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	@Test
	void otherSettingsAreThoseOfTheApplicationsPool() {
		HikariConfig application = application();
		application.setDriverClassName("org.h2.Driver");
		application.addDataSourceProperty("IFEXISTS", "TRUE");
		application.setConnectionInitSql("SET @leaf = 5");
		application.setConnectionTestQuery("SELECT 5");
		application.setCatalog("a");
		application.setSchema("INFORMATION_SCHEMA");
		application.setMaxLifetime(45_000);
		application.setKeepaliveTime(33_000);
		application.setValidationTimeout(3_000);
		application.setIsolateInternalQueries(true);
		application.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		try (HikariDataSource pool = new HikariDataSource()) {
			application.copyStateTo(pool);
			Map<String, Object> expected = settings(pool);
			assertThat(expected).as("settings that differ from HikariCP's defaults").hasSizeGreaterThan(14);
			try (ConnectionSource own = SegmentPool.like(pool, NO_OVERRIDES)) {
				assertThat(settings(pool(own))).containsAllEntriesOf(expected);
			}
		}
	}

	private static Map<String, Object> settings(HikariDataSource pool) {
		Map<String, Object> settings = new HashMap<>();
		try (HikariDataSource untouched = new HikariDataSource()) {
			for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(HikariConfig.class)) {
				if (!OWN.contains(property.getName()) && property.getReadMethod() != null) {
					Object value = property.getReadMethod().invoke(pool);
					if (value != null && !value.equals(property.getReadMethod().invoke(untouched))) {
						settings.put(property.getName(), (value instanceof Credentials known)
								? known.getUsername() + '/' + known.getPassword() : value);
					}
				}
			}
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
		return settings;
	}

	@Test
	void settingsThatMustNotBeSharedAreNotDerived() {
		ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
		HikariConfig application = application();
		application.setMaximumPoolSize(30);
		application.setMinimumIdle(30);
		application.setAutoCommit(false);
		application.setReadOnly(true);
		application.setLeakDetectionThreshold(2_000);
		application.setRegisterMbeans(true);
		application.setThreadFactory(Thread::new);
		application.setScheduledExecutor(executor);
		try (HikariDataSource pool = new HikariDataSource(application);
				ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
			HikariDataSource own = pool(segment);
			assertThat(own.getMaximumPoolSize()).isEqualTo(2);
			assertThat(own.getMinimumIdle()).isOne();
			assertThat(own.isAutoCommit()).isTrue();
			assertThat(own.isReadOnly()).isFalse();
			assertThat(own.getLeakDetectionThreshold()).isZero();
			assertThat(own.isRegisterMbeans()).isFalse();
			assertThat(own.getThreadFactory()).isNull();
			assertThat(own.getScheduledExecutor()).isNull();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void metricsTrackerIsNotShared() {
		HikariConfig application = application();
		application.setMetricsTrackerFactory((name, stats) -> {
			throw new IllegalStateException("The application's metrics");
		});
		try (HikariDataSource pool = new HikariDataSource()) {
			application.copyStateTo(pool);
			try (ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
				assertThat(pool(segment).getMetricsTrackerFactory()).isNull();
			}
		}
	}

	@Test
	void settingsReachTheConnections() throws Exception {
		HikariConfig application = application();
		application.addDataSourceProperty("IFEXISTS", "TRUE");
		application.setConnectionInitSql("SET @leaf = 5");
		application.setSchema("INFORMATION_SCHEMA");
		try (HikariDataSource pool = new HikariDataSource(application);
				ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
			assertThat(pool(segment).getDataSource()).isInstanceOfSatisfying(DelegatingDataSource.class,
					(connections) -> assertThat(connections.getTargetDataSource()).isInstanceOfSatisfying(
							DriverManagerDataSource.class, (driver) -> assertThat(driver.getConnectionProperties())
								.containsAllEntriesOf(Map.of("IFEXISTS", "TRUE"))));
			try (Connection connection = segment.dataSource().getConnection()) {
				assertThat(connection.getSchema()).isEqualTo("INFORMATION_SCHEMA");
				var value = connection.createStatement().executeQuery("SELECT @leaf");
				value.next();
				assertThat(value.getInt(1)).isEqualTo(5);
			}
		}
	}

	@Test
	void connectsIfTheApplicationsPoolHasNotStarted() throws Exception {
		try (HikariDataSource pool = new HikariDataSource()) {
			application().copyStateTo(pool);
			assertConnects(pool, "SA");
			assertThat(pool.isRunning()).isFalse();
		}
	}

	@Test
	void connectsIfTheApplicationsPoolIsRunningAndSealed() throws Exception {
		try (HikariDataSource pool = new HikariDataSource(application())) {
			pool.getConnection().close();
			assertConnects(pool, "SA");
		}
	}

	@Test
	void followsTheCredentialsOfAPoolWithADataSource() throws Exception {
		JdbcDataSource target = new JdbcDataSource();
		target.setURL(this.database.url());
		HikariConfig application = new HikariConfig();
		application.setDataSource(target);
		assertFollowsCredentials(application);
	}

	@Test
	void followsTheCredentialsOfAPoolWithADataSourceClass() throws Exception {
		HikariConfig application = new HikariConfig();
		application.setDataSourceClassName(JdbcDataSource.class.getName());
		application.addDataSourceProperty("url", this.database.url());
		assertFollowsCredentials(application);
	}

	@Test
	void dataSourceClassTakesPrecedenceOverTheUrlAsInHikari() throws Exception {
		HikariConfig application = new HikariConfig();
		application.setDataSourceClassName(JdbcDataSource.class.getName());
		application.setJdbcUrl("jdbc:nothing:");
		application.addDataSourceProperty("url", this.database.url());
		assertFollowsCredentials(application);
	}

	@Test
	void followsTheCredentialsOfAPoolWithADataSourceInJndi() throws Exception {
		JdbcDataSource target = new JdbcDataSource();
		target.setURL(this.database.url());
		String before = System.getProperty(Context.INITIAL_CONTEXT_FACTORY);
		System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Directory.class.getName());
		Directory.BOUND.put("java:comp/env/jdbc/orders", target);
		try {
			HikariConfig application = new HikariConfig();
			application.setDataSourceJNDI("java:comp/env/jdbc/orders");
			assertFollowsCredentials(application);
		}
		finally {
			Directory.BOUND.clear();
			if (before != null) {
				System.setProperty(Context.INITIAL_CONTEXT_FACTORY, before);
			}
			else {
				System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
			}
		}
	}

	@Test
	void followsTheCredentialsOfAPoolWithAUrl() throws Exception {
		HikariConfig application = new HikariConfig();
		application.setJdbcUrl(this.database.url());
		assertFollowsCredentials(application);
	}

	/**
	 * Asserts that the derived pool uses credentials that the application's pool receives
	 * later, for example because a password is rotated, unless Leaf has its own
	 * credentials.
	 */
	private void assertFollowsCredentials(HikariConfig application) throws Exception {
		this.database.execute("CREATE USER early PASSWORD 'x'").execute("CREATE USER later PASSWORD 'y'");
		application.setUsername("early");
		application.setPassword("x");
		try (HikariDataSource pool = new HikariDataSource(application)) {
			assertConnects(pool, "EARLY");
			try (ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
				pool.setCredentials(Credentials.of("later", "y"));
				assertThat(user(segment)).isEqualTo("LATER");
			}
			try (ConnectionSource segment = SegmentPool.like(pool, new Datasource(null, "early", "x"))) {
				assertThat(user(segment)).isEqualTo("EARLY");
			}
		}
	}

	@Test
	void credentialsThatASubclassReturnsAreUsed() throws Exception {
		this.database.execute("CREATE USER token PASSWORD '1'");
		HikariConfig application = new HikariConfig();
		application.setJdbcUrl(this.database.url());
		try (HikariDataSource pool = new HikariDataSource() {

			@Override
			public Credentials getCredentials() {
				return Credentials.of("token", "1");
			}

			@Override
			public String getPassword() {
				return "of today";
			}

		}) {
			application.copyStateTo(pool);
			assertConnects(pool, "TOKEN");
			// HikariCP calls getPassword() if a system property requires it
			try (ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
				assertThat(pool(segment).getPassword()).isEqualTo("of today");
			}
		}
	}

	@Test
	void doesNotChangeTheLoginTimeoutOfTheApplicationsDataSource() throws Exception {
		JdbcDataSource target = new JdbcDataSource();
		target.setURL(this.database.url());
		target.setUser(MemoryDatabase.USERNAME);
		target.setLoginTimeout(77);
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(target);
			assertConnects(pool, "SA");
			assertThat(target.getLoginTimeout()).isEqualTo(77);
		}
	}

	@Test
	void everyConnectionHasANetworkTimeout() throws Exception {
		AtomicInteger limit = new AtomicInteger();
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(setting(limit::set));
			try (ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
				for (int i = 0; i < 2; i++) {
					try (Connection connection = segment.dataSource().getConnection()) {
						assertThat(connection.isClosed()).isFalse();
						assertThat(limit).hasValue(10_000);
					}
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "isValid", "setNetworkTimeout" })
	void anErrorWhileAConnectionIsTakenDoesNotLeakTheConnection(String method) throws Exception {
		AtomicInteger errors = new AtomicInteger();
		DataSource failing = intercepting((called, arguments) -> {
			// the pool itself sets shorter timeouts
			if (called.equals(method) && (arguments.length < 2 || (int) arguments[1] == 10_000)
					&& errors.getAndDecrement() > 0) {
				throw new OutOfMemoryError("on purpose");
			}
		});
		System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "-1");
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(failing);
			try (ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
				segment.dataSource().getConnection().close();
				errors.set(3);
				for (int i = 0; i < 3; i++) {
					catchThrowable(segment.dataSource()::getConnection);
				}
				errors.set(0);
				assertThat(user(segment)).isEqualTo("SA");
			}
		}
		finally {
			System.clearProperty("com.zaxxer.hikari.aliveBypassWindowMs");
		}
	}

	@Test
	void connectsWithADriverWithoutANetworkTimeout() throws Exception {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(setting((timeout) -> {
				throw new AbstractMethodError();
			}));
			assertConnects(pool, "SA");
		}
	}

	private DataSource setting(IntConsumer networkTimeout) {
		return intercepting((method, arguments) -> {
			if (method.equals("setNetworkTimeout")) {
				networkTimeout.accept((int) arguments[1]);
			}
		});
	}

	private DataSource intercepting(BiConsumer<String, Object[]> calls) {
		return new DriverManagerDataSource(this.database.url(), MemoryDatabase.USERNAME, "") {

			@Override
			public Connection getConnection() throws SQLException {
				Connection target = super.getConnection();
				return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
						new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
							calls.accept(method.getName(), (arguments != null) ? arguments : new Object[0]);
							return method.invoke(target, arguments);
						});
			}

		};
	}

	private static void assertConnects(HikariDataSource application, String user) throws Exception {
		try (ConnectionSource segment = SegmentPool.like(application, NO_OVERRIDES)) {
			assertThat(user(segment)).isEqualTo(user);
		}
	}

	private static String user(ConnectionSource segment) throws Exception {
		try (Connection connection = segment.dataSource().getConnection()) {
			assertThat(connection.isValid(1)).isTrue();
			return connection.getMetaData().getUserName();
		}
	}

	private static HikariDataSource pool(ConnectionSource segment) {
		return (HikariDataSource) segment.dataSource();
	}

	private HikariConfig application() {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(this.database.url());
		config.setUsername(MemoryDatabase.USERNAME);
		config.setPassword("");
		return config;
	}

	/**
	 * A JNDI directory with a {@code DataSource}, as in an application server.
	 */
	public static final class Directory implements InitialContextFactory {

		static final Map<String, DataSource> BOUND = new HashMap<>();

		@Override
		public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
			return new InitialContext(true) {

				@Override
				public Object lookup(String name) {
					return BOUND.get(name);
				}

			};
		}

	}

}
