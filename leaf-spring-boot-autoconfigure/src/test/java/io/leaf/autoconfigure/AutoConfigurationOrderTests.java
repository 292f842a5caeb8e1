// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.actuate.LeafEndpointAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the order of Leaf's and Spring Boot's auto-configurations.
 */
class AutoConfigurationOrderTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	@Test
	void dataSourceComesFirstThoughLeafsNameSortsBefore() {
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
	void rowsInsertedByDataSqlAreKnownAtStartup() {
		contextRunner(AfterInitialization.class)
			.withPropertyValues("spring.sql.init.data-locations=classpath:leaf-data.sql")
			.run((context) -> {
				assertThat(context.getBean(SegmentIdGenerator.class).status()).containsOnlyKeys("order");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void tableCreatedBySchemaSqlIsUsed() {
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
	 * An auto-configuration whose name sorts before Leaf's. It comes after one of Spring
	 * Boot's auto-configurations, so that one also comes before Leaf's.
	 */
	@AutoConfiguration(after = DataSourceInitializationAutoConfiguration.class)
	static final class AfterInitialization {

	}

}
