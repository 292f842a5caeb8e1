// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.actuate.MeteredKeys;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Which keys are told apart, by meters and observations alike.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafMetricsProperties.class)
class MeteredKeysConfiguration {

	@Bean
	@ConditionalOnMissingBean
	MeteredKeys leafMeteredKeys(LeafMetricsProperties properties) {
		return new MeteredKeys(properties.validMaxKeys());
	}

}
