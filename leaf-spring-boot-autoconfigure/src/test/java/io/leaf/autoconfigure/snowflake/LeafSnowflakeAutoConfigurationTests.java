// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.datasource.ConnectionSource;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.segment.ClosingOrder;
import io.leaf.autoconfigure.segment.ClosingOrderTests;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.SavedLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.file.FileWorkerLeaseStore;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import io.leaf.text.IdFormats;
import org.apache.curator.framework.CuratorFramework;
import org.h2.Driver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeafSnowflakeAutoConfiguration} and
 * {@link LeafIdGeneratorAutoConfiguration}: the beans that they define, and the mode of
 * each key.
 */
class LeafSnowflakeAutoConfigurationTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	@TempDir
	private Path directory;

	private ApplicationContextRunner withoutDatabase() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class,
					LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class))
			.withPropertyValues("leaf.snowflake.enabled=true", "leaf.snowflake.state-dir=" + this.directory);
	}

	private ApplicationContextRunner withDatabase() {
		return withoutDatabase().withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues(this.database.property(), "leaf.snowflake.worker.source=jdbc");
	}

	private ApplicationContextRunner withFile() {
		return withoutDatabase().withPropertyValues("leaf.snowflake.worker.source=file", "leaf.snowflake.worker.id=7");
	}

	private static long workerId(long id) {
		return SnowflakeLayout.LEAF.decode(id).workerId();
	}

	@Test
	void clientOfTheApplicationIsClosedAfterTheKeeperThatMayUseIt() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerBeanDefinition("client", new RootBeanDefinition(CuratorFramework.class));
		new ClosingOrder().postProcessBeanFactory(beanFactory);
		assertThat(beanFactory.getDependentBeans("client")).contains("leafLeaseKeeper");
	}

	@Test
	void clientThatIsCreatedLateIsClosedAfterBeansThatDrawIdsAreDestroyed() {
		List<Long> drawn = new ArrayList<>();
		withFile().withBean("drawn", List.class, () -> drawn)
			.withUserConfiguration(ClosingOrderTests.Users.class, LateClient.class)
			.withPropertyValues("leaf.segment.enabled=false", "leaf.name=orders")
			.run((context) -> context.getBean(SnowflakeIdGenerator.class));
		assertThat(drawn).hasSize(5).endsWith(LateClient.CLOSED);
	}

	@Test
	void noBeansIfDisabled() {
		withDatabase().withPropertyValues("leaf.snowflake.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(SnowflakeIdGenerator.class)
				.doesNotHaveBean(LeaseKeeper.class)
				.doesNotHaveBean(WorkerLeaseStore.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "TRUE", "yes", "on", "1", " true" })
	void everySpellingOfTrueEnablesSnowflakeMode(String enabled) {
		withFile().withPropertyValues("leaf.snowflake.enabled=" + enabled)
			.run((context) -> assertThat(context).hasBean("leafSnowflakeIdGenerator"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "FILE", "f-ile", "Fi_le" })
	void everySpellingOfASourceIsAccepted(String source) {
		withFile().withPropertyValues("leaf.snowflake.worker.source=" + source)
			.run((context) -> assertThat(context).hasSingleBean(FileWorkerLeaseStore.class)
				.doesNotHaveBean(SavedLeaseStore.class));
	}

	@Test
	void theDatabaseHandsOutWorkerIds() {
		withDatabase().run((context) -> {
			assertThat(context.getBean(WorkerLeaseStore.class)).isInstanceOf(JdbcWorkerLeaseStore.class);
			assertThat(context).hasSingleBean(SavedLeaseStore.class).hasSingleBean(ConnectionSource.class);
			SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
			assertThat(workerId(generator.nextId("payment"))).isZero();
			assertThat(owners()).isOne();
			assertThat(this.directory.resolve("application")).isDirectory();
		});
		assertThat(owners()).isZero();
	}

	private long owners() {
		return this.database.number("SELECT COUNT(*) FROM leaf_worker WHERE owner <> '' AND worker_id >= 0");
	}

	@Test
	void theTableIsCreatedIfSegmentModeIsOff() {
		withDatabase().withPropertyValues("leaf.segment.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(SegmentIdGenerator.class);
			assertThat(workerId(context.getBean(IdGenerator.class).nextId("payment"))).isZero();
			assertThat(context.getBean("leafIdGenerator")).isInstanceOf(SnowflakeIdGenerator.class);
		});
	}

	@Test
	void aFileHoldsAFixedWorkerId() {
		withFile().run((context) -> {
			assertThat(context.getBean(WorkerLeaseStore.class)).isInstanceOf(FileWorkerLeaseStore.class);
			assertThat(context).doesNotHaveBean(SavedLeaseStore.class);
			assertThat(workerId(context.getBean(IdGenerator.class).nextId("payment"))).isEqualTo(7);
		});
	}

	@Test
	void aRestartOnTheFileContinuesAboveTheUsedTimestamps() {
		long[] last = new long[1];
		withFile().run((context) -> last[0] = context.getBean(IdGenerator.class).nextId("payment"));
		withFile()
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("payment")).isGreaterThan(last[0]));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void startupLogsTheFileOfAFixedWorkerId(CapturedOutput output) {
		withFile().withPropertyValues("leaf.name=orders")
			.run((context) -> assertThat(output)
				.contains("The state file of worker ID 7 is " + this.directory.resolve("orders/worker-7.state")));
	}

	@Test
	void theStateFileOfAWorkerIdFromATableNamesDatabaseAndTable() {
		withDatabase().withPropertyValues("leaf.name=orders", "leaf.snowflake.port=8080")
			.run((context) -> assertThat(this.directory.resolve("orders/8080/lease.state")).content()
				.containsPattern("\nstore=jdbc:h2:mem:[^;?\n]*, table leaf_worker\n"));
	}

	@Test
	void aDataSourceWithoutAKnownUrlIsReportedBecauseItPreventsResuming() {
		this.database.withTable();
		withoutDatabase()
			.withBean(DataSource.class,
					() -> new SimpleDriverDataSource(new Driver(), this.database.property().replaceFirst("^[^=]*=", ""),
							"sa", ""))
			.withPropertyValues("leaf.snowflake.worker.source=jdbc")
			.run((context) -> assertThat(context.getBean(LeaseKeeper.class).status().stateFileError()).contains(
					"It is not known which store the worker IDs come from (jdbc)", "leaf.segment.datasource.url"));
	}

	@Test
	void usersStoreWins() {
		withoutDatabase().withUserConfiguration(UserStore.class).run((context) -> {
			assertThat(context).hasSingleBean(WorkerLeaseStore.class).hasSingleBean(SavedLeaseStore.class);
			assertThat(workerId(context.getBean(IdGenerator.class).nextId("payment"))).isZero();
		});
	}

	@Test
	void usersIdGeneratorWins() {
		withoutDatabase().withBean(IdGenerator.class, () -> mock(IdGenerator.class))
			.run((context) -> assertThat(context).hasSingleBean(IdGenerator.class)
				.doesNotHaveBean(WorkerLeaseStore.class));
	}

	@Test
	void theKeyDecidesTheMode() {
		this.database.withRow("order", 500, 10).execute("INSERT INTO leaf_alloc VALUES ('refund', 1, 10, '', NOW())");
		withDatabase().withPropertyValues("leaf.keys.payment.mode=snowflake", "leaf.keys.refund.mode=segment")
			.run((context) -> {
				IdGenerator generator = context.getBean(IdGenerator.class);
				assertThat(generator).isSameAs(context.getBean("leafIdGenerator"));
				assertThat(generator.nextId("order")).isEqualTo(500);
				assertThat(generator.nextIds("refund", 2)).containsExactly(1, 2);
				assertThat(generator.nextId("payment")).isGreaterThan(1L << 50);
				assertThat(generator.sequence("payment").nextId()).isGreaterThan(1L << 50);
			});
	}

	@Test
	void textsHaveTheFormatOfTheKeyInBothModes() {
		this.database.withRow("order", 500, 10);
		withDatabase()
			.withPropertyValues("leaf.keys.payment.mode=snowflake", "leaf.keys.payment.format=P-{crockford:13}",
					"leaf.keys.order.format=O-{number:4}")
			.run((context) -> {
				IdGenerator generator = context.getBean("leafIdGenerator", IdGenerator.class);
				assertThat(generator.nextText("order")).isEqualTo("O-0500");
				String text = generator.nextText("payment");
				assertThat(text).startsWith("P-").hasSize(15);
				assertThat(context.getBean(IdFormats.class).of("payment").parse(text)).isGreaterThan(1L << 50);
				assertThat(context.getBean(SnowflakeIdGenerator.class).nextText("payment")).startsWith("P-");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "{number:18}", "P-{crockford:12}", "{masked:62}" })
	void aFormatThatIsTooNarrowForSnowflakeIdsIsRefusedAtStartup(String format) {
		ApplicationContextRunner runner = withDatabase().withPropertyValues("leaf.keys.payment.format=" + format,
				"leaf.keys.payment.secret=1:confidential-secret");
		runner.run((context) -> assertThat(context).hasNotFailed());
		for (String mode : List.of("leaf.keys.payment.mode=snowflake", "leaf.default-mode=snowflake",
				"leaf.segment.enabled=false")) {
			runner.withPropertyValues(mode)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(LeafStartupException.class)
					.hasMessageStartingWith("The format '%s' of key 'payment' (originating from ".formatted(format))
					.hasMessageEndingWith(
							" has no room for the largest snowflake ID of the key, 9223372036854775807."));
		}
	}

	@Test
	void theDefaultModeAppliesToOtherKeys() {
		this.database.withRow("order", 500, 10);
		withDatabase().withPropertyValues("leaf.default-mode=snowflake", "leaf.keys.order.mode=segment")
			.run((context) -> {
				IdGenerator generator = context.getBean(IdGenerator.class);
				assertThat(generator.nextId("order")).isEqualTo(500);
				assertThat(generator.nextId("anything")).isGreaterThan(1L << 50);
			});
	}

	@Test
	void aKeyOfSegmentModeMayHaveItsOwnOrdering() {
		this.database.withRow("order", 500, 10);
		withDatabase()
			.withPropertyValues("leaf.default-mode=snowflake", "leaf.keys.order.mode=segment",
					"leaf.keys.order.ordering=global")
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
				assertThat(this.database.number("SELECT max_id FROM leaf_alloc")).as("nothing is kept in memory")
					.isEqualTo(501);
			});
	}

	@Test
	void anOrderingOfAKeyOfSnowflakeModeIsRefused() {
		withDatabase().withPropertyValues("leaf.default-mode=snowflake", "leaf.keys.order.ordering=global")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContainingAll("leaf.keys.order.ordering", "'global'", "set leaf.keys.order.mode=segment"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaf.default-mode=snowflake", "leaf.segment.enabled=false" })
	void aPeriodOfAKeyOfSnowflakeModeIsRefused(String mode) {
		withDatabase()
			.withPropertyValues(mode, "leaf.keys.order.period=day", "leaf.keys.order.period-zone=UTC",
					"leaf.keys.order.digits=6")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContainingAll("leaf.keys.order.period", "'day'", "set leaf.keys.order.mode=segment"));
	}

	@Test
	void aKeyWithSpecialCharactersIsWrittenInBrackets() {
		withDatabase().withPropertyValues("leaf.keys[order_item].mode=snowflake", "leaf.keys[a.B c].mode=snowflake")
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextId("order_item")).isGreaterThan(1L << 50);
				assertThat(context.getBean(IdGenerator.class).nextId("a.B c")).isGreaterThan(1L << 50);
			});
	}

	@ParameterizedTest
	@CsvSource({ "leaf.segment.enabled,true,false", "leaf.segment.source,jdbc,server",
			"leaf.snowflake.enabled,true,false", "leaf.snowflake.worker.source,jdbc,file" })
	void aPropertyThatIsChangedAfterItHasSelectedBeansIsReported(String property, String selected, String value) {
		withDatabase()
			.withInitializer((context) -> context.addBeanFactoryPostProcessor((beanFactory) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("late", Map.of(property, value)))))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LeafStartupException.class)
				.hasMessage("The property %s is %s, but the beans were selected while it was %s.", property, value,
						selected));
	}

	@Test
	void withoutTheZooKeeperClientTheMessageNamesTheDependency() {
		withoutDatabase().withClassLoader(new FilteredClassLoader("org.apache.curator"))
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(LeafStartupException.class)
				.hasStackTraceContaining("Curator is not on the classpath"));
	}

	@Test
	void withoutSpringBootsJdbcTheMessageNamesTheDependency() {
		withoutDatabase().withClassLoader(new FilteredClassLoader("org.springframework.boot.jdbc.init"))
			.withPropertyValues("leaf.snowflake.worker.source=jdbc")
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(LeafStartupException.class)
				.hasStackTraceContaining("JDBC support is not on the classpath"));
	}

	@Test
	void injectionByTypeChoosesAMode() {
		this.database.withRow("payment", 500, 10);
		withDatabase().withPropertyValues("leaf.keys.payment.mode=snowflake").run((context) -> {
			assertThat(context.getBean(SegmentIdGenerator.class).nextId("payment")).isEqualTo(500);
			assertThat(context.getBean(SnowflakeIdGenerator.class).nextId("payment")).isGreaterThan(1L << 50);
			assertThat(context.getBean("leafSegmentIdGenerator")).isSameAs(context.getBean(SegmentIdGenerator.class));
			assertThat(context.getBean("leafSnowflakeIdGenerator"))
				.isSameAs(context.getBean(SnowflakeIdGenerator.class));
		});
	}

	@Test
	void withOneModeThePrimaryGeneratorIsThatOfTheMode() {
		this.database.withRow("order", 500, 10);
		withDatabase().withPropertyValues("leaf.snowflake.enabled=false").run((context) -> {
			assertThat(context.getBean(IdGenerator.class)).isSameAs(context.getBean("leafIdGenerator"))
				.isSameAs(context.getBean(SegmentIdGenerator.class));
		});
	}

	@Test
	void thePropertiesArePassedOn() {
		withFile()
			.withPropertyValues("leaf.snowflake.layout.preset=js-safe", "leaf.snowflake.host=10.0.0.9",
					"leaf.snowflake.port=77", "leaf.name=payments", "leaf.snowflake.max-lead=5ms")
			.run((context) -> {
				assertThat(context.getBean(SnowflakeIdGenerator.class).layout()).isEqualTo(SnowflakeLayout.JS_SAFE);
				assertThat(context.getBean(ProcessLabel.class)).hasToString("10.0.0.9:77");
				assertThat(this.directory.resolve("payments")).isDirectory();
				assertThat(Files.list(this.directory.resolve("payments"))).isNotEmpty();
			});
	}

	@Test
	void noThreadIsLeftRunningAfterTheContextCloses() {
		withDatabase().run((context) -> assertThat(threads()).isEqualTo(2));
		assertThat(threads()).isZero();
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && thread.getName().startsWith("leaf-lease"))
			.count();
	}

	@Configuration(proxyBeanMethods = false)
	static class UserStore {

		@Bean(destroyMethod = "")
		WorkerLeaseStore userStore() {
			return new InMemoryWorkerLeaseStore(() -> Instant.now().toEpochMilli());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LateClient {

		static final long CLOSED = -1;

		@Bean
		CuratorFramework client(List<Long> drawn) {
			CuratorFramework client = mock();
			willAnswer((call) -> drawn.add(CLOSED)).given(client).close();
			return client;
		}

	}

}
