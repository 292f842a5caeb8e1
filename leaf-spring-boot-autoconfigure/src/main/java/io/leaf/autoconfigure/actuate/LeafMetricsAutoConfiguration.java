// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.actuate;

import io.leaf.actuate.MeteredKeys;
import io.leaf.actuate.SegmentMetrics;
import io.leaf.actuate.SnowflakeMetrics;
import io.leaf.autoconfigure.properties.LeafMetricsProperties;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the meters, which Spring Boot binds to the meter registries.
 */
@AutoConfiguration(after = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class })
@ConditionalOnClass(MeterBinder.class)
public final class LeafMetricsAutoConfiguration {

	@Bean
	@ConditionalOnBean(SegmentIdGenerator.class)
	@ConditionalOnMissingBean
	SegmentMetrics leafSegmentMetrics(SegmentIdGenerator generator, MeteredKeys keys) {
		return new SegmentMetrics(generator, keys);
	}

	@Bean
	@ConditionalOnBean({ SnowflakeLanes.class, LeaseKeeper.class })
	@ConditionalOnMissingBean
	SnowflakeMetrics leafSnowflakeMetrics(SnowflakeLanes lanes, LeaseKeeper keeper) {
		return new SnowflakeMetrics(lanes, keeper);
	}

	/**
	 * Limits how many keys have time series of their own in meters and observations.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(LeafMetricsProperties.class)
	static class MeteredKeysConfiguration {

		@Bean
		@ConditionalOnMissingBean
		MeteredKeys leafMeteredKeys(LeafMetricsProperties properties) {
			return new MeteredKeys(properties.validMaxKeys());
		}

	}

}
