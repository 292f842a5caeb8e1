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

import java.time.Instant;

import io.leaf.actuate.LeafEndpoint;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the {@code leaf} endpoint.
 */
@AutoConfiguration(after = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class })
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LeafEndpoint.class)
@Conditional(OnAnyModeCondition.class)
@EnableConfigurationProperties({ LeafProperties.class, LeafSnowflakeProperties.class })
public final class LeafEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeafEndpoint leafEndpoint(LeafProperties properties, LeafSnowflakeProperties snowflake, Environment environment,
			ObjectProvider<SegmentIdGenerator> segmentIdGenerator, ObjectProvider<SnowflakeLanes> lanes,
			ObjectProvider<LeaseKeeper> keeper) {
		return new LeafEndpoint(properties.nameOr(environment), segmentIdGenerator.getIfAvailable(),
				lanes.getIfAvailable(), keeper.getIfAvailable(), snowflake.layout(Instant.now()));
	}

}
