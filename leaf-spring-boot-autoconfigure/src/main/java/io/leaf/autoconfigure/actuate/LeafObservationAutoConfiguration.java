// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.actuate;

import io.leaf.actuate.MeteredKeys;
import io.leaf.actuate.StoreObservations;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the observations of the stores.
 */
@AutoConfiguration(before = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class })
@ConditionalOnClass(ObservationRegistry.class)
@Import(LeafMetricsAutoConfiguration.MeteredKeysConfiguration.class)
public final class LeafObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	StoreObservations leafStoreObservations(ObjectProvider<ObservationRegistry> registry, MeteredKeys keys) {
		return new StoreObservations(registry.getIfAvailable(() -> ObservationRegistry.NOOP), keys);
	}

}
