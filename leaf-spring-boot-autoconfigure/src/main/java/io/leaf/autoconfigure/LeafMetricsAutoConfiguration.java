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
