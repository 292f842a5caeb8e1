// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import io.leaf.text.IdFormats;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Creates the formats of the keys, which are used by the generators of both modes, by
 * {@code @LeafText} and by the module {@code leaf-spring-boot-test}.
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
