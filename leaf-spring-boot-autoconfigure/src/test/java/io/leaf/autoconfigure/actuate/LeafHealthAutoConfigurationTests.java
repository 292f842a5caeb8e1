// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.actuate;

import java.nio.file.Path;
import java.time.Duration;

import io.leaf.actuate.LeafHealth;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.IndicatedHealthDescriptor;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeafHealthAutoConfiguration}, through the health endpoint.
 */
class LeafHealthAutoConfigurationTests {

	private final InMemorySegmentStore store = new InMemorySegmentStore().put("order", 1, 100);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
				LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class,
				LeafHealthAutoConfiguration.class, EndpointAutoConfiguration.class,
				HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class,
				HealthEndpointAutoConfiguration.class))
		.withBean("userStore", SegmentStore.class, () -> this.store)
		.withPropertyValues("leaf.segment.enabled=true", "leaf.segment.fail-fast=false",
				"leaf.segment.acquire-timeout=100ms", "management.endpoint.health.show-details=always",
				"management.endpoints.web.exposure.include=health");

	@TempDir
	private Path directory;

	@AfterEach
	void restoreTheStore() {
		this.store.failWith(null);
	}

	private static HealthDescriptor health(AssertableApplicationContext context, String... path) {
		return context.getBean(HealthEndpoint.class).healthForPath(path);
	}

	private static String status(AssertableApplicationContext context, String... path) {
		return health(context, path).getStatus().getCode();
	}

	@Test
	void eachModeHasAContributor() {
		this.contextRunner
			.withPropertyValues("leaf.snowflake.enabled=true", "leaf.snowflake.worker.source=file",
					"leaf.snowflake.worker.id=3", "leaf.snowflake.state-dir=" + this.directory)
			.run((context) -> {
				assertThat(((CompositeHealthDescriptor) health(context, "leaf")).getComponents())
					.containsOnlyKeys("segment", "snowflake");
				assertThat(status(context, "leaf", "segment")).isEqualTo("UP");
				assertThat(status(context, "leaf", "snowflake")).isEqualTo("UP");
				assertThat(((IndicatedHealthDescriptor) health(context, "leaf", "snowflake")).getDetails())
					.containsEntry("source", "file")
					.containsKeys("workerIds", "horizon", "layoutExhaustedAt");
			});
	}

	@Test
	void downIfTheStoreIsUnavailable() {
		this.store.failWith(InMemorySegmentStore.down());
		this.contextRunner.run((context) -> {
			assertThat(status(context)).isEqualTo("DOWN");
			assertThat(status(context, "leaf", "segment")).isEqualTo("DOWN");
		});
	}

	@Test
	void aWarningTakesEffectIfTheOrderOfStatusesContainsIt() {
		ApplicationContextRunner low = this.contextRunner.withPropertyValues("leaf.health.low-buffer=1",
				"leaf.segment.prefetch-at=0");
		low.run((context) -> {
			warn(context);
			assertThat(status(context)).isNotEqualTo("DOWN");
		});
		low.withPropertyValues("management.endpoint.health.status.order=down,out-of-service,warning,up,unknown")
			.run((context) -> {
				warn(context);
				assertThat(status(context)).isEqualTo("WARNING");
				assertThat(status(context, "leaf")).isEqualTo("WARNING");
			});
	}

	private void warn(AssertableApplicationContext context) {
		SegmentIdGenerator generator = context.getBean(SegmentIdGenerator.class);
		this.store.failWith(null);
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> generator.nextId("order") > 0);
		await().atMost(Duration.ofSeconds(30)).until(() -> generator.status("order").next() != null);
		this.store.failWith(InMemorySegmentStore.down());
		long left = generator.status("order").current().remaining() + 99;
		for (long i = 0; i < left; i++) {
			generator.nextId("order");
		}
		await().atMost(Duration.ofSeconds(30)).until(() -> generator.status("order").failedAttempts() > 0);
		assertThat(status(context, "leaf", "segment")).isEqualTo("WARNING");
	}

	@Test
	void readinessIsDownIfItIncludesLeaf() {
		this.store.failWith(InMemorySegmentStore.down());
		this.contextRunner
			.withPropertyValues("management.endpoint.health.group.readiness.include=leaf",
					"management.endpoint.health.group.liveness.include=ping")
			.run((context) -> {
				assertThat(status(context, "readiness")).isEqualTo("DOWN");
				assertThat(status(context, "liveness")).isEqualTo("UP");
			});
	}

	@Test
	void noContributorIfDisabled() {
		this.contextRunner.withPropertyValues("management.health.leaf.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(LeafHealth.class)
				.doesNotHaveBean("leafHealthContributor"));
	}

	@Test
	void usersIndicatorWins() {
		this.contextRunner
			.withBean("leafHealthIndicator", HealthIndicator.class, () -> () -> Health.outOfService().build())
			.run((context) -> assertThat(status(context, "leaf")).isEqualTo("OUT_OF_SERVICE"));
	}

	@Test
	void noContributorWithoutSpringBootsHealth() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(LeafSegmentAutoConfiguration.class, LeafHealthAutoConfiguration.class))
			.withBean("userStore", SegmentStore.class, () -> this.store)
			.withPropertyValues("leaf.segment.enabled=true")
			.withClassLoader(new FilteredClassLoader(HealthContributor.class))
			.run((context) -> assertThat(context).hasSingleBean(LeafHealth.class)
				.doesNotHaveBean("leafHealthContributor"));
	}

	@Test
	void noHealthWithoutAMode() {
		this.contextRunner.withPropertyValues("leaf.segment.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeafHealth.class));
	}

	@Test
	void thresholdsHaveRanges() {
		this.contextRunner.withPropertyValues("leaf.health.low-buffer=1.1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("leaf.health.low-buffer"));
	}

}
