// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.util.Map;

import javax.sql.DataSource;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.DataSources;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.actuate.LeafEndpointAutoConfiguration;
import io.leaf.autoconfigure.datasource.ConnectionSource;
import io.leaf.autoconfigure.datasource.LeafSchemaInitializer;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.TestSettings;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafSegmentAutoConfiguration}: the beans that it defines, and when it
 * backs off.
 */
public class LeafSegmentAutoConfigurationTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	private final ApplicationContextRunner withoutDataSource = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class));

	private final ApplicationContextRunner contextRunner = this.withoutDataSource
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
		.withPropertyValues(this.database.property());

	private static SegmentStore userStore() {
		return new InMemorySegmentStore().put("order", 7, 993);
	}

	@Test
	void issuesIdsFromTheTable() {
		this.database.withRow("order", 500, 10);
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(IdGenerator.class).hasSingleBean(SegmentStore.class);
			assertThat(context.getBean("leafSegmentIdGenerator")).isInstanceOf(SegmentIdGenerator.class);
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			assertThat(this.database.maxId("order")).isGreaterThanOrEqualTo(510);
		});
	}

	@Test
	void issuesTextsInTheFormatOfTheKey() {
		this.database.withRow("order", 500, 10);
		this.contextRunner
			.withPropertyValues("leaf.keys.order.format=ORD-{number:6}",
					"leaf.keys.order.former-formats[0]=ORD-{base36:8},", "leaf.keys.order.former-formats[1]={number}")
			.run((context) -> {
				IdFormat format = context.getBean(IdFormats.class).of("order");
				assertThat(context.getBean(IdGenerator.class).nextText("order")).isEqualTo("ORD-000500");
				assertThat(format.parse("ORD-000500")).isEqualTo(500);
				assertThat(format.parse("500")).isEqualTo(500);
				assertThat(format.parse("ORD-000000dw,")).isEqualTo(500);
			});
	}

	@Test
	void idThatDoesNotFitTheFormatIsSkipped() {
		this.database.withRow("order", 99, 10);
		this.contextRunner.withPropertyValues("leaf.keys.order.format={number:2}").run((context) -> {
			IdGenerator generator = context.getBean(IdGenerator.class);
			assertThat(generator.nextText("order")).isEqualTo("99");
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> generator.nextText("order"))
				.withMessageContaining("ID 100 of key 'order' does not fit the format '{number:2}'");
			assertThat(generator.nextId("order")).isEqualTo(101);
		});
	}

	@Test
	void usersFormatsWin() {
		this.contextRunner.withBean(IdFormats.class, () -> new IdFormats(Map.of("order", IdFormat.of("own-{number}"))))
			.run((context) -> assertThat(context.getBean(IdFormats.class).of("order").format(1)).isEqualTo("own-1"));
	}

	@Test
	void createsTheTableInAnEmbeddedDatabase() {
		this.contextRunner.withPropertyValues("leaf.segment.auto-create.enabled=true")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1));
	}

	@Test
	void usersIdGeneratorWins() {
		this.contextRunner.withUserConfiguration(UserIdGenerator.class).run((context) -> {
			assertThat(context).hasSingleBean(IdGenerator.class).hasBean("userIdGenerator");
			assertThat(context).doesNotHaveBean(SegmentStore.class).doesNotHaveBean(ConnectionSource.class);
			assertThat(this.database.hasTable("leaf_alloc")).isFalse();
		});
	}

	@Test
	void usersSegmentStoreWins() {
		this.contextRunner.withBean(SegmentStore.class, LeafSegmentAutoConfigurationTests::userStore).run((context) -> {
			assertThat(context).hasSingleBean(SegmentStore.class)
				.doesNotHaveBean(ConnectionSource.class)
				.doesNotHaveBean(LeafSchemaInitializer.class);
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(7);
		});
	}

	@Test
	void usersSegmentStoreNeedsNoDataSource() {
		this.withoutDataSource.withBean(SegmentStore.class, LeafSegmentAutoConfigurationTests::userStore)
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(7));
	}

	@Test
	void usersSchemaInitializerWins() {
		this.database.withTable();
		this.contextRunner.withUserConfiguration(UserSchemaInitializer.class)
			.run((context) -> assertThat(context).hasSingleBean(LeafSchemaInitializer.class)
				.hasBean("userSchemaInitializer"));
	}

	@Test
	void noGeneratorWithoutADataSource() {
		this.withoutDataSource.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGenerator.class));
	}

	@Test
	void noGeneratorIfDisabled() {
		this.contextRunner.withPropertyValues("leaf.segment.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(IdGenerator.class)
				.doesNotHaveBean(ConnectionSource.class));
	}

	@Test
	void enabledByAUrlAlone() {
		this.database.withRow("order", 500, 10);
		this.withoutDataSource
			.withPropertyValues("leaf.segment.datasource.url=" + this.database.url(),
					"leaf.segment.datasource.username=" + MemoryDatabase.USERNAME)
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
				assertThat(context).doesNotHaveBean(DataSource.class);
			});
	}

	@Test
	void dataSourceOfTheParentContextIsUsed() {
		this.database.withRow("order", 500, 10);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues(this.database.property())
			.run((parent) -> this.withoutDataSource.withParent(parent)
				.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500)));
	}

	@Test
	void usersStoreNeedsNoJdbcSupport() {
		this.withoutDataSource.withBean(SegmentStore.class, LeafSegmentAutoConfigurationTests::userStore)
			.withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "org.springframework.boot.jdbc"))
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(7));
	}

	@Test
	void noGeneratorWithoutSpringJdbc() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(JdbcTemplate.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGenerator.class));
	}

	@Test
	void noGeneratorWithoutSpringBootJdbc() {
		this.withoutDataSource.withBean(DataSource.class, () -> DataSources.notHikari(this.database.url()))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.jdbc"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGenerator.class));
	}

	@Test
	void worksWithoutHibernateAndActuator() {
		this.database.withRow("order", 500, 10);
		this.contextRunner.withConfiguration(AutoConfigurations.of(LeafEndpointAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.hibernate", "jakarta.persistence",
					ConditionalOnAvailableEndpoint.class.getName()))
			.run((context) -> {
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
				assertThat(context).doesNotHaveBean("leafEndpoint");
			});
	}

	@Test
	void lazyInitializationAccessesTheDatabaseAtTheFirstId() {
		this.contextRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeanFactory().containsSingleton("leafSegmentIdGenerator")).isFalse();
				assertThat(this.database.otherSessions()).isZero();
				this.database.withRow("order", 500, 10);
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void closingGivesUnusedNumbersBack() {
		this.database.withRow("order", 500, 10);
		this.contextRunner.run((context) -> {
			IdGenerator generator = context.getBean(IdGenerator.class);
			generator.nextIds("order", 3);
			assertThat(this.database.maxId("order")).isGreaterThanOrEqualTo(510);
			context.getSourceApplicationContext().close();
			assertThat(this.database.maxId("order")).isEqualTo(503);
			assertThat(this.database.otherSessions()).isZero();
		});
	}

	@Test
	void closingGivesUnusedNumbersBackThroughASharedDataSource() {
		this.database.withRow("order", 500, 10);
		this.withoutDataSource.withBean(DataSources.Closing.class, () -> new DataSources.Closing(this.database.url()))
			.run((context) -> {
				context.getBean(IdGenerator.class).nextId("order");
				context.getSourceApplicationContext().close();
				assertThat(this.database.maxId("order")).isEqualTo(501);
			});
	}

	@Configuration(proxyBeanMethods = false)
	public static class UserIdGenerator {

		@Bean
		public SegmentIdGenerator userIdGenerator() {
			return new SegmentIdGenerator(userStore(), TestSettings.DEFAULTS);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UserSchemaInitializer {

		@Bean
		LeafSchemaInitializer userSchemaInitializer(DataSource dataSource, LeafSegmentProperties properties) {
			return new LeafSchemaInitializer(dataSource, DatabaseInitializationMode.EMBEDDED, properties.tableName());
		}

	}

}
