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

package io.leaf.sample.server.api;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import io.leaf.IdGenerator;
import io.leaf.sample.server.LeafServerProperties;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What listens on the port of the API.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafServerProperties.class)
public class ApiConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(ApiConfiguration.class);

	@Bean
	ServletRegistrationBean<IdServlet> idServlet(ObjectProvider<SegmentIdGenerator> segment,
			ObjectProvider<SnowflakeIdGenerator> snowflake, LeafServerProperties properties) {
		Map<String, IdGenerator> generators = new HashMap<>();
		segment.ifAvailable((generator) -> generators.put("segment", generator));
		snowflake.ifAvailable((generator) -> generators.put("snowflake", generator));
		if (generators.isEmpty()) {
			throw new InvalidConfigurationPropertyValueException("leaf.segment.datasource.url", "",
					"It is not set, and leaf.snowflake.enabled is not true either, so that there are no IDs to issue. "
							+ "Set one of them, start the server beside a leaf.properties, or try it with spring.profiles.active=embedded.");
		}
		if (!properties.tokens().isEmpty()) {
			// a key may have been spelled such that it is another one
			logger.info("Keys that want a token: {}", String.join(", ", new TreeSet<>(properties.tokens().keySet())));
		}
		boolean compatible = properties.compatibleErrors();
		ApiErrors errors = compatible ? new CompatibleErrors(Clock.systemUTC()) : new ProblemErrors();
		IdServlet servlet = new IdServlet(generators, new Tokens(properties.tokens()), errors, !compatible);
		return new ServletRegistrationBean<>(servlet, "/*");
	}

	@Bean
	ServletRegistrationBean<OpenApiServlet> openApiServlet() {
		return new ServletRegistrationBean<>(new OpenApiServlet(), "/openapi.json");
	}

}
