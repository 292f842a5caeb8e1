// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.boot3;

import java.util.List;

import io.leaf.actuate.LeafHealth;
import io.leaf.autoconfigure.actuate.LeafHealthAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
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
