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
package io.leaf.autoconfigure.boot3;

import java.util.List;

import io.leaf.actuate.LeafHealth;
import io.leaf.autoconfigure.LeafHealthAutoConfiguration;
import io.leaf.autoconfigure.LeafSegmentAutoConfiguration;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeafHealthBoot3AutoConfiguration}, through the health endpoint.
 */
class LeafHealthBoot3AutoConfigurationTests {

	private final SegmentStore store = mock();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class, LeafHealthAutoConfiguration.class,
				LeafHealthBoot3AutoConfiguration.class, EndpointAutoConfiguration.class,
				HealthContributorAutoConfiguration.class, HealthEndpointAutoConfiguration.class))
		.withBean("userStore", SegmentStore.class, () -> this.store)
		.withPropertyValues("leaf.segment.enabled=true", "leaf.segment.fail-fast=false",
				"management.endpoints.web.exposure.include=health");

	private static String status(AssertableApplicationContext context) {
		return context.getBean(HealthEndpoint.class).healthForPath("leaf", "segment").getStatus().getCode();
	}

	@Test
	void up() {
		given(this.store.findAll()).willReturn(List.of(new SegmentRow("order", 1, 100)));
		this.contextRunner.run((context) -> assertThat(status(context)).isEqualTo("UP"));
	}

	@Test
	void down() {
		given(this.store.findAll()).willThrow(new SegmentStoreException("the store is down", null, false));
		this.contextRunner.run((context) -> assertThat(status(context)).isEqualTo("DOWN"));
	}

	@Test
	void disabled() {
		this.contextRunner.withPropertyValues("management.health.leaf.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(LeafHealth.class)
				.doesNotHaveBean("leafHealthContributor"));
	}

	@Test
	void usersIndicatorWins() {
		this.contextRunner
			.withBean("leafHealthIndicator", HealthIndicator.class, () -> () -> Health.outOfService().build())
			.run((context) -> assertThat(context).doesNotHaveBean("leafHealthContributor"));
	}

	@Test
	void onSpringBoot4() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class,
					LeafHealthAutoConfiguration.class, LeafHealthBoot3AutoConfiguration.class))
			.withBean("userStore", SegmentStore.class, () -> this.store)
			.withPropertyValues("leaf.segment.enabled=true")
			.withClassLoader(new FilteredClassLoader(HealthContributor.class))
			.run((context) -> assertThat(context).hasSingleBean(LeafHealth.class)
				.doesNotHaveBean("leafHealthContributor"));
	}

	@Test
	void noMode() {
		this.contextRunner.withPropertyValues("leaf.segment.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leafHealthContributor"));
	}

}
