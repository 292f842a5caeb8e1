/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.leaf.IdGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClosingOrder} with the {@code DataSource} that Spring Boot configures,
 * and the beans between it and the generator.
 */
class DataSourceClosingOrderTests {

	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 500, 10);

	private final List<Long> drawn = new ArrayList<>();

	@AfterEach
	void close() {
		this.database.close();
	}

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
