// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.net.InetAddress;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.server.LeafServerProperties;
import io.leaf.server.api.RangeServlet.RangeSettings;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.text.IdFormats;
import org.apache.catalina.Valve;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The HTTP interface on the port of the API.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafServerProperties.class)
public class ApiConfiguration {

	private static final String AUTO_CREATE_KEYS = LeafSegmentProperties.PREFIX + ".auto-create.keys";

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
	ServletContextInitializer rangeServlet(ObjectProvider<SegmentIdGenerator> generator,
			ObjectProvider<SegmentStore> store, ObjectProvider<LeafSegmentProperties> segment,
			ObjectProvider<LeafProperties> common, LeafServerProperties properties, Environment environment) {
		SegmentIdGenerator segments = generator.getIfAvailable();
		if (segments == null) {
			// the paths are then not found
			return (context) -> {
			};
		}
		return rangeServlet(segments, store.getObject(), segment.getObject(), common.getObject(), properties,
				environment);
	}

	private static ServletRegistrationBean<RangeServlet> rangeServlet(SegmentIdGenerator generator, SegmentStore store,
			LeafSegmentProperties segment, LeafProperties common, LeafServerProperties properties,
			Environment environment) {
		if (segment.autoCreate().enabled() && !environment.containsProperty(AUTO_CREATE_KEYS)
				&& !environment.containsProperty(AUTO_CREATE_KEYS + "[0]")) {
			throw new LeafStartupException(
					"leaf.segment.auto-create.enabled is true, but %s is not set, so every client could add any number of rows to the table."
						.formatted(AUTO_CREATE_KEYS),
					"Set %s to patterns of the keys that clients may add, such as order-*,invoice; or to * for any key."
						.formatted(AUTO_CREATE_KEYS));
		}
		InetAddress address = Binder.get(environment).bind("server.address", InetAddress.class).orElse(null);
		boolean loopback = address != null && address.isLoopbackAddress();
		if (!properties.clients().isEmpty()) {
			logger.info("Clients that may take ranges: {}",
					String.join(", ", new TreeSet<>(properties.clients().keySet())));
		}
		RangeSettings settings = new RangeSettings(segment.maxStep(),
				(key) -> common.keys().containsKey(key) && common.keys().get(key).period() != null,
				(key) -> segment.autoCreate().creates(key));
		RangeServlet servlet = new RangeServlet(generator, store, settings,
				new Clients(properties.clients(), loopback, properties.tokens().keySet()));
		return new ServletRegistrationBean<>(servlet, RangeServlet.PATHS);
	}

	@Bean
	ServletRegistrationBean<OpenApiServlet> openApiServlet() {
		return new ServletRegistrationBean<>(new OpenApiServlet(), "/openapi.json");
	}

}
