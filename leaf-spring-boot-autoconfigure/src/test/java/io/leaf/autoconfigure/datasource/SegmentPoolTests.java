// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.DataSources;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Datasource;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SegmentPoolTests {

	private static final Datasource NO_OVERRIDES = new Datasource(null, null, null);

	private static final Supplier<DataSource> NO_APPLICATION = () -> null;

	private static final Environment ENVIRONMENT = new MockEnvironment();

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 500, 10);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class))
		.withPropertyValues(this.database.property());

	@Test
	void isSeparateFromTheApplicationsPool() {
		this.contextRunner.run((context) -> {
			HikariDataSource application = context.getBean(HikariDataSource.class);
			HikariDataSource own = (HikariDataSource) context.getBean(ConnectionSource.class).dataSource();
			assertThat(own).isNotSameAs(application);
			assertThat(own.getPoolName()).isEqualTo("leaf-segment");
			assertThat(own.getMaximumPoolSize()).isEqualTo(2);
			assertThat(context).hasSingleBean(DataSource.class);
			context.getBean(IdGenerator.class).nextId("order");
			assertThat(application.isRunning()).as("application's pool was started").isFalse();
		});
	}

	@Test
	void keepsAnIdleConnectionOnlyToAnInMemoryDatabase() {
		Datasource credentials = new Datasource(null, MemoryDatabase.USERNAME, "");
		try (ConnectionSource inMemory = SegmentPool.to(this.database.url(), NO_APPLICATION, ENVIRONMENT, credentials);
				ConnectionSource server = SegmentPool.to("jdbc:h2:tcp://127.0.0.1:1/x", NO_APPLICATION, ENVIRONMENT,
						credentials)) {
			assertThat(((HikariDataSource) inMemory.dataSource()).getMinimumIdle()).isEqualTo(1);
			assertThat(((HikariDataSource) server.dataSource()).getMinimumIdle()).isZero();
		}
	}

	@Test
	void connectionTimeoutIsLongerForAnInMemoryDatabase() {
		Datasource credentials = new Datasource(null, MemoryDatabase.USERNAME, "");
		try (ConnectionSource inMemory = SegmentPool.to(this.database.url(), NO_APPLICATION, ENVIRONMENT, credentials);
				ConnectionSource server = SegmentPool.to("jdbc:h2:tcp://127.0.0.1:1/x", NO_APPLICATION, ENVIRONMENT,
						credentials)) {
			assertThat(((HikariDataSource) inMemory.dataSource()).getConnectionTimeout()).isEqualTo(30_000);
			assertThat(((HikariDataSource) server.dataSource()).getConnectionTimeout()).isEqualTo(1_000);
		}
	}

	@Test
	void theDatabaseIncludesAllSettingsThatChooseTheSchema() {
		Datasource credentials = new Datasource(null, null, null);
		try (HikariDataSource application = DataSources.hikari("jdbc:postgresql://127.0.0.1:1/x")) {
			assertThat(SegmentPool.like(application, credentials).database())
				.isEqualTo("jdbc:postgresql://127.0.0.1:1/x");
			application.addDataSourceProperty("currentSchema", "a");
			assertThat(SegmentPool.like(application, credentials).database())
				.isEqualTo("jdbc:postgresql://127.0.0.1:1/x, {currentSchema=a}");
			application.setSchema("b");
			application.setConnectionInitSql("SET search_path TO secret");
			assertThat(SegmentPool.like(application, credentials).database())
				.startsWith("jdbc:postgresql://127.0.0.1:1/x, {schema=b, currentSchema=a, connectionInitSql=#")
				.doesNotContain("secret");
		}
	}

	@Test
	void connectsAtOnceWhenTheDatabaseIsAvailableAgain() throws Exception {
		AtomicBoolean unavailable = new AtomicBoolean(true);
		HikariDataSource application = DataSources.hikari("jdbc:h2:tcp://127.0.0.1:1/x");
		application.setDataSource(new DriverManagerDataSource(this.database.url(), MemoryDatabase.USERNAME, "") {

			@Override
			public Connection getConnection(String username, String password) throws SQLException {
				if (unavailable.get()) {
					throw new SQLException("The database is unavailable");
				}
				return super.getConnection(username, password);
			}

		});
		ExecutorService executor = Executors.newFixedThreadPool(2);
		try (ConnectionSource own = SegmentPool.like(application, NO_OVERRIDES)) {
			Callable<Void> fetches = () -> {
				for (int i = 0; i < 3; i++) {
					assertThatExceptionOfType(SQLException.class).isThrownBy(own.dataSource()::getConnection)
						.havingRootCause()
						.withMessage("The database is unavailable");
				}
				return null;
			};
			for (Future<Void> result : executor.invokeAll(List.of(fetches, fetches))) {
				result.get();
			}
			unavailable.set(false);
			own.dataSource().getConnection().close();
		}
		finally {
			executor.shutdownNow();
			application.close();
		}
	}

	@Test
	void worksWhileTheApplicationsPoolIsExhausted() {
		this.contextRunner
			.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1",
					"spring.datasource.hikari.connection-timeout=250")
			.run((context) -> {
				try (Connection last = context.getBean(DataSource.class).getConnection()) {
					assertThat(last.isClosed()).isFalse();
					assertThat(context.getBean(IdGenerator.class).nextIds("order", 50)).hasSize(50).endsWith(549);
				}
			});
	}

	@Test
	void isClosedWithTheContext() {
		this.contextRunner.run((context) -> {
			HikariDataSource own = (HikariDataSource) context.getBean(ConnectionSource.class).dataSource();
			assertThat(own.isClosed()).isFalse();
			context.getSourceApplicationContext().close();
			assertThat(own.isClosed()).isTrue();
		});
	}

	@Test
	void doesNotChangeTheLoginTimeoutOfDriverManager() {
		int before = DriverManager.getLoginTimeout();
		try {
			DriverManager.setLoginTimeout(77);
			this.contextRunner.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
				assertThat(DriverManager.getLoginTimeout()).isEqualTo(77);
			});
		}
		finally {
			DriverManager.setLoginTimeout(before);
		}
	}

	@Test
	void credentialsOfTheApplicationsPoolAreUsedWithAnotherUrl() throws Exception {
		this.database.execute("CREATE USER application PASSWORD 'x'");
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setUsername("application");
			pool.setPassword("x");
			try (ConnectionSource segment = SegmentPool.to(this.database.url(), () -> pool, ENVIRONMENT, NO_OVERRIDES);
					Connection connection = segment.dataSource().getConnection()) {
				assertThat(connection.getMetaData().getUserName()).isEqualTo("APPLICATION");
			}
		}
	}

	@Test
	void aPasswordWithoutAUserNameIsThatOfTheUserInTheUrl() throws Exception {
		this.database.execute("CREATE USER application PASSWORD 'x'");
		String url = this.database.url() + ";USER=application";
		try (HikariDataSource pool = new HikariDataSource() {
		}) {
			pool.setJdbcUrl(url);
			pool.setPassword("x");
			assertThatUserIsApplication(SegmentPool.like(pool, NO_OVERRIDES));
			pool.setDriverClassName("org.h2.Driver");
			assertThatUserIsApplication(SegmentPool.like(pool, NO_OVERRIDES));
			pool.setPassword("y");
			assertThatUserIsApplication(SegmentPool.like(pool, new Datasource(null, null, "x")));
			assertThat(pool.getDataSourceProperties()).as("properties of the application's pool").isEmpty();
			assertThatUserIsApplication(
					SegmentPool.to(url, NO_APPLICATION, ENVIRONMENT, new Datasource(url, null, "x")));
		}
	}

	@Test
	void aPasswordWithoutAUserNameIsTheOneWithWhichTheApplicationConnects() throws Exception {
		this.database.execute("CREATE USER application PASSWORD 'x'");
		try (HikariDataSource pool = new PoolWithMaskedPassword();
				HikariDataSource other = new PoolWithOtherCredentials()) {
			for (HikariDataSource application : List.of(pool, other)) {
				application.setJdbcUrl(this.database.url() + ";USER=application");
				application.setMinimumIdle(0);
			}
			pool.setPassword("x");
			assertThatUserIsApplication(SegmentPool.like(pool, NO_OVERRIDES));
			assertThatUserIsApplication(SegmentPool.like(other, NO_OVERRIDES));
			assertThat(pool.getConnection().getMetaData().getUserName()).isEqualTo("APPLICATION");
			assertThat(other.getConnection().getMetaData().getUserName()).isEqualTo("APPLICATION");
		}
	}

	@Test
	void aPoolIsCreatedEvenIfTheCredentialsOfTheApplicationAreUnavailable() {
		try (HikariDataSource pool = new PoolWithoutCredentials()) {
			pool.setJdbcUrl(this.database.url());
			SegmentPool.like(pool, NO_OVERRIDES).close();
			SegmentPool.to(this.database.url(), () -> pool, ENVIRONMENT, new Datasource(null, null, "x")).close();
		}
	}

	@Test
	void aPasswordOfTheApplicationWithoutAUserNameIsNotUsedWithAnotherUrl() throws Exception {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(this.database.url() + ";USER=application");
			pool.setPassword("x");
			// the first user and password that connect to an empty database create it
			String url = "jdbc:h2:mem:without-password";
			try (ConnectionSource segment = SegmentPool.to(url, () -> pool, ENVIRONMENT, NO_OVERRIDES);
					Connection connection = segment.dataSource().getConnection();
					Connection other = DriverManager.getConnection(url)) {
				assertThat(connection.isValid(1)).isTrue();
				assertThat(other.isValid(1)).isTrue();
			}
		}
	}

	private static void assertThatUserIsApplication(ConnectionSource source) throws SQLException {
		try (source; Connection connection = source.dataSource().getConnection()) {
			assertThat(connection.getMetaData().getUserName()).isEqualTo("APPLICATION");
		}
	}

	@Test
	void metricRegistryIsNotShared() {
		try (HikariDataSource pool = DataSources.hikari(this.database.url())) {
			pool.setMetricRegistry(new SimpleMeterRegistry());
			try (ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
				assertThat(((HikariDataSource) segment.dataSource()).getMetricRegistry()).isNull();
			}
		}
	}

	@Test
	void credentialsProviderIsUsed() throws Exception {
		this.database.execute("CREATE USER token PASSWORD '1'").execute("CREATE USER other PASSWORD '2'");
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(this.database.url());
			pool.setCredentialsProvider(() -> Credentials.of("token", "1"));
			try (ConnectionSource segment = SegmentPool.like(pool, NO_OVERRIDES)) {
				assertThat(user(segment)).isEqualTo("TOKEN");
			}
			try (ConnectionSource segment = SegmentPool.to(this.database.url(), () -> pool, ENVIRONMENT,
					NO_OVERRIDES)) {
				assertThat(user(segment)).isEqualTo("TOKEN");
			}
			try (ConnectionSource segment = SegmentPool.like(pool, new Datasource(null, "other", "2"))) {
				assertThat(user(segment)).isEqualTo("OTHER");
			}
			this.database.execute("CREATE USER third PASSWORD '1'");
			try (ConnectionSource segment = SegmentPool.like(pool, new Datasource(null, "third", null))) {
				assertThat(user(segment)).isEqualTo("THIRD");
			}
		}
	}

	private static String user(ConnectionSource segment) throws SQLException {
		try (Connection connection = segment.dataSource().getConnection()) {
			return connection.getMetaData().getUserName();
		}
	}

	@Test
	void isolationIsThatOfTheApplicationExceptOnPostgresql() {
		assertThat(isolation("jdbc:mysql://db/x")).isEqualTo("TRANSACTION_REPEATABLE_READ");
		assertThat(isolation("jdbc:postgresql://db/x")).isEqualTo("TRANSACTION_READ_COMMITTED");
		try (ConnectionSource postgresql = SegmentPool.to("jdbc:postgresql://db/x", NO_APPLICATION, ENVIRONMENT,
				NO_OVERRIDES);
				ConnectionSource mysql = SegmentPool.to("jdbc:mysql://db/x", NO_APPLICATION, ENVIRONMENT,
						NO_OVERRIDES)) {
			assertThat(((HikariDataSource) postgresql.dataSource()).getTransactionIsolation())
				.isEqualTo("TRANSACTION_READ_COMMITTED");
			assertThat(((HikariDataSource) mysql.dataSource()).getTransactionIsolation()).isNull();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jdbc:mysql://a:1,b:2/x | {connectTimeout=3000, socketTimeout=3000}
			jdbc:mariadb:sequential://a:1,b:2/x | {connectTimeout=3000, socketTimeout=3000}
			jdbc:postgresql://a:1,b:2/x | {cancelSignalTimeout=1, connectTimeout=3, socketTimeout=3}
			jdbc:postgresql://a:1,b:2/x?cancelSignalTimeout=5 | {connectTimeout=3, socketTimeout=3}
			jdbc:mysql://a:1,b:2/x?socketTimeout=60000 | {connectTimeout=3000}
			jdbc:mysql://a:1,b:2/x?SocketTimeout=60000 | {connectTimeout=3000}
			jdbc:h2:mem:timeouts | {}
			""")
	void timeoutsLetTheDriverSkipAHostThatDoesNotAnswer(String url, String expected) {
		assertThat(driverProperties(url, new Properties())).asString().isEqualTo(expected);
		Properties configured = new Properties();
		configured.setProperty("connectTimeout", "7");
		assertThat(driverProperties(url, configured)).containsEntry("connectTimeout", "7");
		Properties inOtherCase = new Properties();
		inOtherCase.setProperty("ConnectTimeout", "7");
		assertThat(driverProperties(url, inOtherCase)).doesNotContainKey("connectTimeout");
	}

	private static Map<Object, Object> driverProperties(String url, Properties configured) {
		try (HikariDataSource application = DataSources.hikari(url)) {
			application.setDataSourceProperties(configured);
			try (ConnectionSource segment = SegmentPool.like(application, NO_OVERRIDES)) {
				DelegatingDataSource connections = (DelegatingDataSource) ((HikariDataSource) segment.dataSource())
					.getDataSource();
				assertThat(connections).isNotNull();
				DriverManagerDataSource driver = (DriverManagerDataSource) connections.getTargetDataSource();
				assertThat(driver).isNotNull();
				return new TreeMap<>(driver.getConnectionProperties());
			}
		}
	}

	@Test
	void theDriverIsTheOneThatTheApplicationNames() throws SQLException {
		try (HikariDataSource application = DataSources.hikari(this.database.url())) {
			application.setDriverClassName(CompanyDriver.class.getName());
			try (ConnectionSource segment = SegmentPool.like(application, NO_OVERRIDES);
					Connection connection = segment.dataSource().getConnection()) {
				assertThat(connection.getSchema()).isEqualTo("INFORMATION_SCHEMA");
			}
		}
	}

	@Test
	void aDriverThatDoesNotAcceptTheUrlIsReportedWithoutThePassword() {
		try (HikariDataSource application = DataSources.hikari("jdbc:postgresql://leaf:secret@127.0.0.1/x")) {
			application.setDriverClassName(CompanyDriver.class.getName());
			assertThatExceptionOfType(LeafStartupException.class)
				.isThrownBy(() -> SegmentPool.like(application, NO_OVERRIDES))
				.withMessageContainingAll(CompanyDriver.class.getName(), "127.0.0.1/x")
				.withMessageNotContaining("secret")
				.withNoCause();
		}
	}

	private static final class PoolWithMaskedPassword extends HikariDataSource {

		@Override
		public String getPassword() {
			return "***";
		}

	}

	private static final class PoolWithOtherCredentials extends HikariDataSource {

		@Override
		public Credentials getCredentials() {
			return Credentials.of(null, "x");
		}

	}

	private static final class PoolWithoutCredentials extends HikariDataSource {

		@Override
		public Credentials getCredentials() {
			throw new IllegalStateException("The service that provides the credentials is unavailable");
		}

	}

	/**
	 * A driver that is not registered, and that leads to another schema than the
	 * registered driver for the same URLs.
	 */
	public static final class CompanyDriver extends org.h2.Driver {

		@Override
		public Connection connect(String url, Properties properties) throws SQLException {
			Connection connection = super.connect(url, properties);
			connection.setSchema("INFORMATION_SCHEMA");
			return connection;
		}

	}

	private static String isolation(String url) {
		try (HikariDataSource application = DataSources.hikari(url)) {
			application.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
			try (ConnectionSource segment = SegmentPool.like(application, NO_OVERRIDES)) {
				return ((HikariDataSource) segment.dataSource()).getTransactionIsolation();
			}
		}
	}

}
