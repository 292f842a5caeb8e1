// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.leaf.actuate.HealthReport;
import io.leaf.actuate.LeafHealth;
import io.leaf.autoconfigure.OnAnyModeCondition;
import io.leaf.autoconfigure.properties.LeafHealthProperties;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the health. The bean {@link LeafHealth} does not use Spring
 * Boot's health types, because Spring Boot 4 has moved these types to another package.
 * For each version of Spring Boot, a separate configuration reports the health to Spring
 * Boot.
 */
@AutoConfiguration(after = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class })
@Conditional(OnAnyModeCondition.class)
@EnableConfigurationProperties({ LeafHealthProperties.class, LeafSnowflakeProperties.class })
public final class LeafHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeafHealth leafHealth(LeafHealthProperties properties, LeafSnowflakeProperties snowflake,
			ObjectProvider<SegmentIdGenerator> segment, ObjectProvider<SnowflakeLanes> lanes,
			ObjectProvider<LeaseKeeper> keeper) {
		return new LeafHealth(segment.getIfAvailable(), lanes.getIfAvailable(), keeper.getIfAvailable(),
				properties.thresholds(snowflake.clock().maxDrift()));
	}

	/**
	 * Reports the health to Spring Boot 4.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
	@ConditionalOnEnabledHealthIndicator("leaf")
	static class Boot4 {

		@Bean
		@ConditionalOnMissingBean(name = { "leafHealthIndicator", "leafHealthContributor" })
		HealthContributor leafHealthContributor(LeafHealth health) {
			Map<String, HealthIndicator> parts = new LinkedHashMap<>();
			health.parts().forEach((mode, part) -> parts.put(mode, () -> health(part.get())));
			return CompositeHealthContributor.fromMap(parts);
		}

		private static Health health(HealthReport report) {
			return Health.status(new Status(report.level().name())).withDetails(report.details()).build();
		}

	}

}
