// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.server.LeafServerProperties;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.text.IdFormats;
import org.apache.catalina.Valve;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The HTTP interface on the port of the API.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafServerProperties.class)
public class ApiConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(ApiConfiguration.class);

	@Bean
	ApiErrors apiErrors(LeafServerProperties properties) {
		return properties.compatibleErrors() ? new CompatibleErrors(Clock.systemUTC()) : new ProblemErrors();
	}

	@Bean
	@SuppressWarnings("unchecked") // the type of the property of Tomcat's factory
	WebServerFactoryCustomizer<WebServerFactory> refusedRequests(ApiErrors errors) {
		// by name, since Spring Boot 3.5 has the factory in a different package
		return (factory) -> ((Collection<Valve>) new BeanWrapperImpl(factory).getPropertyValue("engineValves"))
			.add(new RefusedRequestValve(errors));
	}

	@Bean
	ServletRegistrationBean<IdServlet> idServlet(ObjectProvider<SegmentIdGenerator> segment,
			ObjectProvider<SnowflakeIdGenerator> snowflake, IdFormats formats, LeafServerProperties properties,
			ApiErrors errors) {
		Map<String, IdGenerator> generators = new HashMap<>();
		segment.ifAvailable((generator) -> generators.put("segment", generator));
		snowflake.ifAvailable((generator) -> generators.put("snowflake", generator));
		if (generators.isEmpty()) {
			throw new LeafStartupException(
					"Neither segment mode nor snowflake mode is enabled, so the server has no IDs to issue.",
					"Set leaf.segment.datasource.url (and do not set leaf.segment.enabled=false) or leaf.snowflake.enabled=true, start the server in a folder that contains a leaf.properties in which a mode is enabled, or try it with spring.profiles.active=embedded.");
		}
		if (!properties.tokens().isEmpty()) {
			// shows a key that was misspelled in the configuration
			logger.info("Keys that require a token: {}",
					String.join(", ", new TreeSet<>(properties.tokens().keySet())));
		}
		IdServlet servlet = new IdServlet(generators, formats, new Tokens(properties.tokens()), errors,
				properties.compatibleErrors());
		return new ServletRegistrationBean<>(servlet, "/*");
	}

	@Bean
	ServletRegistrationBean<OpenApiServlet> openApiServlet() {
		return new ServletRegistrationBean<>(new OpenApiServlet(), "/openapi.json");
	}

}
