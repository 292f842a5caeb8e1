// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.DataSources;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConnectionSourceSelector} in an application, and for
 * {@code leaf.segment.datasource.*}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionSourceSelectorTests {

	private static final String WARNING = "To give Leaf a pool of its own, set leaf.segment.datasource.url";

	private static final String STARTUP_LINE = "Leaf connects ";

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 500, 10);

	@AutoClose
	private final MemoryDatabase other = new MemoryDatabase();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class))
		.withPropertyValues("first.url=" + this.database.url(), "second.url=" + this.other.url(),
				"leaf.segment.initialize-schema=never");

	@Test
	void qualifiedDataSourceIsUsedThoughAnotherIsPrimary() {
		this.contextRunner.withUserConfiguration(QualifiedAndPrimary.class).run((context) -> {
			DataSource qualified = context.getBean("qualified", DataSource.class);
			assertThat(context.getBean(ConnectionSource.class).dataSource()).isSameAs(qualified);
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			context.getSourceApplicationContext().close();
			assertThat(this.database.maxId("order")).isEqualTo(501);
		});
	}

	@Test
	void poolDerivedFromAQualifiedHikariPoolWorksWhileThatPoolIsExhausted(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(QualifiedPool.class).run((context) -> {
			HikariDataSource qualified = context.getBean(HikariDataSource.class);
			try (Connection last = qualified.getConnection()) {
				assertThat(last.isClosed()).isFalse();
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			}
			assertThat(output).doesNotContain(WARNING)
				.contains(STARTUP_LINE + "to " + this.database.url()
						+ " with a connection pool of its own, derived from DataSource bean 'qualified' (qualified with @LeafDataSource)");
		});
	}

	@Test
	void qualifiedDataSourceFromWhichNothingCanBeDerivedIsUsedDirectlyWithAWarning(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(QualifiedAndPrimary.class).run((context) -> {
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			assertThat(output).containsOnlyOnce(WARNING)
				.contains(STARTUP_LINE + "through DataSource bean 'qualified' (qualified with @LeafDataSource)");
		});
	}

	@Test
	void qualifiedDataSourceTogetherWithAUrlIsRefused() {
		this.contextRunner.withUserConfiguration(QualifiedAndPrimary.class)
			.withPropertyValues("leaf.segment.datasource.url=" + this.other.url())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LeafStartupException.class)
				.hasMessageContaining("DataSource bean 'qualified', which is qualified with @LeafDataSource")
				.hasMessageContaining("the property leaf.segment.datasource.url")
				.hasMessageNotContaining(this.other.url()));
	}

	@Test
	void severalQualifiedDataSourcesAreRefused() {
		this.contextRunner.withUserConfiguration(QualifiedPool.class, AlsoQualified.class)
			.run(failsWith("Several DataSource beans are qualified with @LeafDataSource: qualified, also"));
	}

	@Test
	void credentialsAreOverriddenOnAQualifiedPool() {
		this.database.execute("CREATE USER leaf PASSWORD ''").execute("GRANT SELECT, UPDATE ON leaf_alloc TO leaf");
		this.contextRunner.withUserConfiguration(QualifiedPool.class)
			.withPropertyValues("leaf.segment.datasource.username=leaf")
			.run((context) -> assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("LEAF"));
	}

	@Test
	void startupLogsTheDatabaseAndTheReason(CapturedOutput output) {
		String secret = this.database.url() + ";USER=sa;PASSWORD=";
		this.contextRunner.withPropertyValues("leaf.segment.datasource.url=" + secret)
			.run((context) -> assertThat(output).containsOnlyOnce(STARTUP_LINE)
				.contains(STARTUP_LINE + "to " + this.database.url()
						+ " with a connection pool of its own, as set by leaf.segment.datasource.url (originating from '\"leaf.segment.datasource.url\" from property source \"test\"')")
				.doesNotContain("PASSWORD="));
		this.contextRunner.withUserConfiguration(OneOfTwoIsPrimary.class)
			.run((context) -> assertThat(output).contains(STARTUP_LINE + "to " + this.database.url()
					+ " with a connection pool of its own, derived from DataSource bean 'first' (the only or primary one)"));
	}

	@Test
	void qualifiedDataSourceIsUsedThoughNoneOfTheOthersIsPrimary() {
		this.contextRunner.withUserConfiguration(TwoDataSources.class, Qualified.class)
			.run((context) -> assertThat(context.getBean(ConnectionSource.class).dataSource())
				.isSameAs(context.getBean("qualified")));
	}

	@Test
	void primaryDataSourceIsUsed() {
		this.contextRunner.withUserConfiguration(OneOfTwoIsPrimary.class)
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500));
	}

	@Test
	void severalDataSourcesWithoutAPrimaryOneAreRefused() {
		this.contextRunner.withUserConfiguration(TwoDataSources.class).run(failsWith("first, second"));
	}

	@Test
	void severalDataSourcesAreRefusedWithAnActionForTheModeThatNeedsOne() {
		this.contextRunner.withUserConfiguration(TwoDataSources.class)
			.run((context) -> assertThat(action(context))
				.endsWith("turn segment mode off with leaf.segment.enabled=false."));
		this.contextRunner.withUserConfiguration(TwoDataSources.class)
			.withConfiguration(AutoConfigurations.of(LeafSnowflakeAutoConfiguration.class))
			.withPropertyValues("leaf.name=test", "leaf.segment.enabled=false", "leaf.snowflake.enabled=true",
					"leaf.snowflake.worker.source=jdbc")
			.run((context) -> assertThat(action(context)).endsWith(
					"take worker IDs from another source with leaf.snowflake.worker.source=zookeeper, file or server.")
				.doesNotContain("leaf.segment.enabled"));
	}

	private static String action(AssertableApplicationContext context) {
		return ((LeafStartupException) NestedExceptionUtils.getRootCause(context.getStartupFailure())).getAction();
	}

	@Test
	void aDataSourceThatReturnsOtherConnectionsThanItsPoolIsUsedDirectly(CapturedOutput output) {
		DataSource orders = DataSources.notHikari(this.database.url());
		this.contextRunner
			.withBean(DataSource.class, () -> new DelegatingDataSource(DataSources.hikari(this.other.url())) {
				@Override
				public Connection getConnection() throws SQLException {
					return orders.getConnection();
				}
			})
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
				assertThat(output).contains(WARNING);
			});
	}

	@Test
	void aDataSourceThatSpringBootCreatesWithAnotherPoolIsUsedDirectly(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.database.url(),
					"spring.datasource.type=" + DriverManagerDataSource.class.getName())
			.run((context) -> {
				assertThat(context.getBean(ConnectionSource.class).dataSource())
					.isSameAs(context.getBean(DataSource.class));
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
				assertThat(output).contains(WARNING);
			});
	}

	@Test
	void applicationsDataSourceIsUsedWithAWarningIfNoPoolCanBeDerived(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(NotHikari.class).run((context) -> {
			assertThat(context.getBean(ConnectionSource.class).dataSource())
				.isSameAs(context.getBean(DataSource.class));
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			assertThat(output).containsOnlyOnce(WARNING);
		});
	}

	@Test
	void applicationsDataSourceIsUsedWithAWarningWithoutHikari(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(QualifiedAndPrimary.class)
			.withClassLoader(new FilteredClassLoader(HikariDataSource.class))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(WARNING);
		this.contextRunner.withBean("pool", HikariDataSource.class, () -> DataSources.hikari(this.database.url()))
			.withClassLoader(new FilteredClassLoader(HikariDataSource.class))
			.run((context) -> {
				assertThat(context.getBean(ConnectionSource.class).dataSource()).isSameAs(context.getBean("pool"));
				assertThat(output)
					.contains("DataSource bean 'pool' (" + HikariDataSource.class.getName() + ") is used directly");
			});
	}

	@Test
	void embeddedDatabaseIsSharedWithoutAWarning(CapturedOutput output) {
		this.contextRunner.withBean("embedded", DataSource.class,
				() -> new EmbeddedDatabaseBuilder().generateUniqueName(true).setType(EmbeddedDatabaseType.H2).build())
			.withPropertyValues("leaf.segment.initialize-schema=embedded")
			.run((context) -> {
				assertThat(context.getBean(ConnectionSource.class).dataSource()).isSameAs(context.getBean("embedded"));
				assertThat(output).doesNotContain(WARNING);
			});
	}

	@Test
	void embeddedDatabaseIsSharedBehindAProxy() {
		this.contextRunner
			.withBean("embedded", DataSource.class, () -> new DelegatingDataSource(
					new EmbeddedDatabaseBuilder().generateUniqueName(true).setType(EmbeddedDatabaseType.H2).build()))
			.withPropertyValues("leaf.segment.initialize-schema=embedded")
			.run((context) -> assertThat(context.getBean(ConnectionSource.class).dataSource())
				.isSameAs(context.getBean("embedded")));
	}

	@Test
	void urlTakesPrecedenceOverSeveralDataSources() {
		this.contextRunner.withUserConfiguration(TwoDataSources.class)
			.withPropertyValues("leaf.segment.datasource.url=" + this.database.url(),
					"leaf.segment.datasource.username=sa")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500));
	}

	@Test
	void urlUsernameAndPasswordAreUsed() {
		this.database.execute("CREATE USER leaf PASSWORD 'secret'")
			.execute("GRANT SELECT, UPDATE ON leaf_alloc TO leaf");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.other.url(),
					"leaf.segment.datasource.url=" + this.database.url(), "leaf.segment.datasource.username=leaf",
					"leaf.segment.datasource.password=secret")
			.run((context) -> {
				assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("LEAF");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void credentialsInTheUrlAreUsedInsteadOfThoseOfTheApplication() {
		this.database.execute("CREATE USER leaf PASSWORD 'secret'")
			.execute("GRANT SELECT, UPDATE ON leaf_alloc TO leaf");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.other.url(), "spring.datasource.username=sa",
					"leaf.segment.datasource.url=" + this.database.url() + ";USER=leaf;PASSWORD=secret")
			.run((context) -> assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("LEAF"));
	}

	@Test
	void credentialsOfSpringDatasourceAreUsedIfTheApplicationHasNoHikariPool() {
		this.database.execute("CREATE USER application PASSWORD 'secret'")
			.execute("GRANT SELECT, UPDATE ON leaf_alloc TO application");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.other.url(), "spring.datasource.username=application",
					"spring.datasource.password=secret",
					"spring.datasource.type=" + DriverManagerDataSource.class.getName(),
					"leaf.segment.datasource.url=" + this.database.url())
			.run((context) -> assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("APPLICATION"));
	}

	@Test
	void credentialsOfTheApplicationAreUsedWithAnotherUrl() {
		this.other.execute("CREATE USER application PASSWORD 'secret'");
		this.database.execute("CREATE USER application PASSWORD 'secret'")
			.execute("GRANT SELECT, UPDATE ON leaf_alloc TO application");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.other.url(), "spring.datasource.username=application",
					"spring.datasource.password=secret", "leaf.segment.datasource.url=" + this.database.url())
			.run((context) -> {
				assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("APPLICATION");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void usernameAloneIsUsedWithTheUrlOfTheApplication() {
		this.database.execute("CREATE USER leaf PASSWORD ''").execute("GRANT SELECT, UPDATE ON leaf_alloc TO leaf");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.database.url(), "leaf.segment.datasource.username=leaf")
			.run((context) -> {
				assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("LEAF");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void usernameWithoutAUrlIsRefused() {
		this.contextRunner.withUserConfiguration(NotHikari.class)
			.withPropertyValues("leaf.segment.datasource.username=leaf")
			.run(failsWith("leaf.segment.datasource.username"));
	}

	@Test
	void propertiesNeedHikari() {
		this.contextRunner.withUserConfiguration(NotHikari.class)
			.withClassLoader(new FilteredClassLoader(HikariDataSource.class))
			.withPropertyValues("leaf.segment.datasource.url=" + this.database.url())
			.run(failsWith("HikariCP"));
	}

	private static ContextConsumer<AssertableApplicationContext> failsWith(String message) {
		return (context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(LeafStartupException.class)
			.hasMessageContaining(message);
	}

	private static String userOf(ConnectionSource dataSource) throws Exception {
		try (Connection connection = dataSource.dataSource().getConnection()) {
			return connection.getMetaData().getUserName();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class NotHikari {

		@Bean
		DataSource notHikari(Environment environment) {
			return DataSources.notHikari(environment.getRequiredProperty("first.url"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Qualified {

		@Bean
		@LeafDataSource
		DataSource qualified(Environment environment) {
			return new DataSources.Closing(environment.getRequiredProperty("first.url"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class QualifiedPool {

		@Bean
		@LeafDataSource
		DataSource qualified(Environment environment) {
			HikariDataSource pool = DataSources.hikari(environment.getRequiredProperty("first.url"));
			pool.setMaximumPoolSize(1);
			return pool;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AlsoQualified {

		@Bean
		@LeafDataSource
		DataSource also(Environment environment) {
			return DataSources.hikari(environment.getRequiredProperty("second.url"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class QualifiedAndPrimary extends Qualified {

		@Bean
		@Primary
		DataSource primary(Environment environment) {
			return DataSources.notHikari(environment.getRequiredProperty("second.url"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource first(Environment environment) {
			return DataSources.notHikari(environment.getRequiredProperty("first.url"));
		}

		@Bean
		DataSource second(Environment environment) {
			return DataSources.notHikari(environment.getRequiredProperty("second.url"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneOfTwoIsPrimary {

		@Bean
		@Primary
		DataSource first(Environment environment) {
			return DataSources.hikari(environment.getRequiredProperty("first.url"));
		}

		@Bean
		DataSource second(Environment environment) {
			return DataSources.hikari(environment.getRequiredProperty("second.url"));
		}

	}

}
