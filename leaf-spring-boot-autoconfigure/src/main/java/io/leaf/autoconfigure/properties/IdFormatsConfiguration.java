// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import io.leaf.text.IdFormats;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The formats of the keys, for the generators of all modes and of tests.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafProperties.class)
public class IdFormatsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdFormats leafIdFormats(LeafProperties properties, Environment environment) {
		return new KeyFormats(environment).of(properties);
	}

}
