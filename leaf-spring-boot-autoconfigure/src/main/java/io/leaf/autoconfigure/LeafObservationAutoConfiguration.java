// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.actuate.MeteredKeys;
import io.leaf.actuate.StoreObservations;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of what is observed of the stores.
 */
@AutoConfiguration(before = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class })
@ConditionalOnClass(ObservationRegistry.class)
@Import(MeteredKeysConfiguration.class)
public final class LeafObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	StoreObservations leafStoreObservations(ObjectProvider<ObservationRegistry> registry, MeteredKeys keys) {
		return new StoreObservations(registry.getIfAvailable(() -> ObservationRegistry.NOOP), keys);
	}

}
