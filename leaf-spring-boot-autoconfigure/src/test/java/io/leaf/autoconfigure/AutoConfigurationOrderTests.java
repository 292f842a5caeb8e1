// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.IdGenerator;
import io.leaf.segment.SegmentIdGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the order between our auto-configurations and Spring Boot's.
 */
class AutoConfigurationOrderTests {

	private final MemoryDatabase database = new MemoryDatabase();

	@AfterEach
	void close() {
		this.database.close();
	}

	@Test
	void dataSourceComesFirstThoughOurNameDoes() {
		AutoConfigurations configurations = AutoConfigurations.of(LeafEndpointAutoConfiguration.class,
				LeafSegmentAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceInitializationAutoConfiguration.class);
		assertThat(LeafSegmentAutoConfiguration.class.getName())
			.isLessThan(DataSourceAutoConfiguration.class.getName());
		assertThat(Configurations.getClasses(configurations)).containsExactly(DataSourceAutoConfiguration.class,
				LeafSegmentAutoConfiguration.class, LeafEndpointAutoConfiguration.class,
				DataSourceInitializationAutoConfiguration.class);
	}

	@Test
	void rowsInsertedByDataSqlAreKnownAtStart() {
		contextRunner(AfterInitialization.class)
			.withPropertyValues("spring.sql.init.data-locations=classpath:leaf-data.sql")
			.run((context) -> {
				assertThat(context.getBean(SegmentIdGenerator.class).status()).containsOnlyKeys("order");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void tableCreatedBySchemaSql() {
		contextRunner()
			.withPropertyValues("leaf.segment.initialize-schema=never",
					"spring.sql.init.schema-locations=classpath:io/leaf/segment/jdbc/schema-h2.sql",
					"spring.sql.init.data-locations=classpath:leaf-data.sql")
			.run((context) -> assertThat(context.getBean(SegmentIdGenerator.class).status()).containsOnlyKeys("order"));
	}

	private ApplicationContextRunner contextRunner(Class<?>... others) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					LeafSegmentAutoConfiguration.class, DataSourceInitializationAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(others))
			.withPropertyValues(this.database.property());
	}

	/**
	 * Comes before ours by its name, and draws Spring Boot's along.
	 */
	@AutoConfiguration(after = DataSourceInitializationAutoConfiguration.class)
	static final class AfterInitialization {

	}

}
