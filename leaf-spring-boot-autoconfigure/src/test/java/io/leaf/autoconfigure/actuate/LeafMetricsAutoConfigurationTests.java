// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.actuate;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import io.leaf.IdGenerator;
import io.leaf.actuate.MeteredKeys;
import io.leaf.actuate.SegmentMetrics;
import io.leaf.actuate.SnowflakeMetrics;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class LeafMetricsAutoConfigurationTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 1, 1000);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
				LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class,
				LeafMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
		.withPropertyValues(this.database.property(), "leaf.segment.acquire-timeout=30s");

	@TempDir
	private Path directory;

	@Test
	void bothModesAreMeasured() {
		this.contextRunner
			.withPropertyValues("leaf.snowflake.enabled=true", "leaf.snowflake.worker.source=file",
					"leaf.snowflake.worker.id=3", "leaf.snowflake.state-dir=" + this.directory,
					"leaf.keys.payment.mode=snowflake")
			.run((context) -> {
				IdGenerator generator = context.getBean(IdGenerator.class);
				generator.nextIds("order", 3);
				generator.nextIds("payment", 4);
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("leaf.ids.issued").tag("key", "order").functionCounter().count()).isEqualTo(3);
				assertThat(registry.get("leaf.ids.issued").tag("mode", "snowflake").functionCounter().count())
					.isEqualTo(4);
				assertThat(registry.get("leaf.snowflake.workers.free").gauge().value()).as("a fixed worker ID").isNaN();
			});
	}

	@Test
	void oneModeIsMeasuredAlone() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(SegmentMetrics.class)
			.doesNotHaveBean(SnowflakeMetrics.class));
	}

	@Test
	void noMetricsWithoutAMode() {
		this.contextRunner.withPropertyValues("leaf.segment.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SegmentMetrics.class));
	}

	@Test
	void noMetricsWithoutMicrometer() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					LeafSegmentAutoConfiguration.class, LeafMetricsAutoConfiguration.class))
			.withPropertyValues(this.database.property())
			.withClassLoader(new FilteredClassLoader(MeterBinder.class))
			.run((context) -> assertThat(context).hasSingleBean(SegmentIdGenerator.class)
				.doesNotHaveBean(MeteredKeys.class));
	}

	@Test
	void usersBeansWin() {
		this.contextRunner.withBean("userKeys", MeteredKeys.class, () -> new MeteredKeys(0)).run((context) -> {
			assertThat(context).hasSingleBean(MeteredKeys.class);
			assertThat(context.getBean(MeterRegistry.class).get("leaf.ids.issued").meter().getId().getTag("key"))
				.isEqualTo(MeteredKeys.OTHERS);
		});
	}

	@Test
	void anOwnSnowflakeIdGeneratorIsNotMeasured() {
		SnowflakeLanes lanes = new SnowflakeLanes(
				new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 1, Duration.ofSeconds(30)),
				new GeneratorClock(Instant::now, System::nanoTime, Duration.ofSeconds(10)));
		this.contextRunner.withBean(SnowflakeIdGenerator.class, () -> new SnowflakeIdGenerator(lanes))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SnowflakeMetrics.class));
	}

	@Test
	void keysAreBounded() {
		this.contextRunner.withPropertyValues("leaf.metrics.max-keys=0")
			.run((context) -> assertThat(
					context.getBean(MeterRegistry.class).get("leaf.ids.issued").meter().getId().getTag("key"))
				.isEqualTo(MeteredKeys.OTHERS));
		this.contextRunner.withPropertyValues("leaf.metrics.max-keys=-1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("leaf.metrics.max-keys"));
	}

}
