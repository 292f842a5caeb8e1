// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.ArrayList;
import java.util.List;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.segment.ClosingOrder;
import io.leaf.autoconfigure.segment.ClosingOrderTests;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClosingOrder} with the {@code DataSource} that Spring Boot configures,
 * and the beans that connect it with the generator.
 */
class DataSourceClosingOrderTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 500, 10);

	private final List<Long> drawn = new ArrayList<>();

	@ParameterizedTest
	@ValueSource(strings = { "always", "never" })
	void beansCreatedBeforeTheDataSourceDrawIdsWhileTheyAreDestroyed(String initializeSchema) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceInitializationAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
					LeafIdGeneratorAutoConfiguration.class))
			.withBean("drawn", List.class, () -> this.drawn)
			.withUserConfiguration(ClosingOrderTests.Users.class)
			.withPropertyValues("spring.datasource.url=" + this.database.url(),
					"spring.datasource.username=" + MemoryDatabase.USERNAME,
					"leaf.segment.initialize-schema=" + initializeSchema)
			.run((context) -> context.getBean(IdGenerator.class));
		assertThat(this.drawn).containsExactly(500L, 501L, 502L, 503L);
		assertThat(this.database.maxId("order")).as("given back afterwards").isEqualTo(504);
	}

}
