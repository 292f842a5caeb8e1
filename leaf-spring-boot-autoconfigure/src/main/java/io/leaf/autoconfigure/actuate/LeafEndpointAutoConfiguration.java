// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.actuate;

import java.time.Instant;
import java.util.Map;

import io.leaf.actuate.LeafEndpoint;
import io.leaf.autoconfigure.OnAnyModeCondition;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.text.IdFormats;

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
			ObjectProvider<LeaseKeeper> keeper, ObjectProvider<IdFormats> formats) {
		return new LeafEndpoint(properties.nameOr(environment), segmentIdGenerator.getIfAvailable(),
				lanes.getIfAvailable(), keeper.getIfAvailable(), snowflake.layout(Instant.now()),
				formats.getIfAvailable(() -> new IdFormats(Map.of())));
	}

}
