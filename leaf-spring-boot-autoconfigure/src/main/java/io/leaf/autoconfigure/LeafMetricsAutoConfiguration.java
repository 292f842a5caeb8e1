// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.actuate.MeteredKeys;
import io.leaf.actuate.SegmentMetrics;
import io.leaf.actuate.SnowflakeMetrics;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the meters. Spring Boot binds them to the registries there are.
 */
@AutoConfiguration(after = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class })
@ConditionalOnClass(MeterBinder.class)
@Import(MeteredKeysConfiguration.class)
public final class LeafMetricsAutoConfiguration {

	@Bean
	@ConditionalOnBean(SegmentIdGenerator.class)
	@ConditionalOnMissingBean
	SegmentMetrics leafSegmentMetrics(SegmentIdGenerator generator, MeteredKeys keys) {
		return new SegmentMetrics(generator, keys);
	}

	@Bean
	@ConditionalOnBean(SnowflakeIdGenerator.class)
	@ConditionalOnMissingBean
	SnowflakeMetrics leafSnowflakeMetrics(SnowflakeLanes lanes, LeaseKeeper keeper) {
		return new SnowflakeMetrics(lanes, keeper);
	}

}
