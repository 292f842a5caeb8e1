// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.net.InetAddress;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import io.github.bucket4j.TimeMeter;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.datasource.ConnectionSource;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.server.ClientActivity;
import io.leaf.server.LeafServerProperties;
import io.leaf.server.RequestTurns;
import io.leaf.server.api.RangeServlet.RangeSettings;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import io.leaf.text.IdFormats;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.catalina.Valve;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * The HTTP interface on the port of the API.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafServerProperties.class)
public class ApiConfiguration {

	/**
	 * One part in how many of the heap is for the large bodies of each kind. While a
	 * response is being made, it takes two to three times its size.
	 */
	private static final int MEMORY_SHARE = 16;

	private static final String AUTO_CREATE_KEYS = LeafSegmentProperties.PREFIX + ".auto-create.keys";

	private static final Logger logger = LoggerFactory.getLogger(ApiConfiguration.class);

	@Bean
	ApiErrors apiErrors(LeafServerProperties properties) {
		return properties.compatibleErrors() ? new CompatibleErrors(Clock.systemUTC()) : new ProblemErrors();
	}

	@Bean
	@SuppressWarnings("unchecked") // the property engineValves is a Collection<Valve>
	WebServerFactoryCustomizer<WebServerFactory> refusedRequests(ApiErrors errors) {
		// the property engineValves of Tomcat's factory is read by its name, because the
		// package of the factory differs between Spring Boot 3.5 and 4
		return (factory) -> ((Collection<Valve>) new BeanWrapperImpl(factory).getPropertyValue("engineValves"))
			.add(new RefusedRequestValve(errors));
	}

	@Bean
	FilterRegistrationBean<RequestTimer> requestTimer(MeterRegistry registry) {
		FilterRegistrationBean<RequestTimer> registration = new FilterRegistrationBean<>(new RequestTimer(registry));
		registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
		return registration;
	}

	@Bean
	ServletRegistrationBean<IdServlet> idServlet(ObjectProvider<SegmentIdGenerator> segment,
			ObjectProvider<SnowflakeIdGenerator> snowflake, IdFormats formats, LeafServerProperties properties,
			ApiErrors errors, BodyMemory idBodies) {
		Map<String, IdGenerator> generators = new HashMap<>();
		segment.ifAvailable((generator) -> generators.put("segment", generator));
		snowflake.ifAvailable((generator) -> generators.put("snowflake", generator));
		if (generators.isEmpty()) {
			throw new LeafStartupException(
					"Neither segment mode nor snowflake mode is enabled, so the server cannot issue IDs.",
					"Set leaf.segment.datasource.url (and do not set leaf.segment.enabled=false), set leaf.snowflake.enabled=true, or start the server in a folder that contains a leaf.properties in which a mode is enabled. To try the server with a database in memory, set spring.profiles.active=embedded.");
		}
		if (!properties.tokens().isEmpty()) {
			// logged so that an operator can notice misspelled keys in the configuration
			logger.info("Keys that require a token: {}",
					String.join(", ", new TreeSet<>(properties.tokens().keySet())));
		}
		IdServlet servlet = new IdServlet(generators, formats, new Tokens(properties.tokens()), errors, idBodies,
				properties.compatibleErrors());
		return new ServletRegistrationBean<>(servlet, "/*");
	}

	@Bean
	Clients clients(LeafServerProperties properties, Environment environment) {
		InetAddress address = Binder.get(environment).bind("server.address", InetAddress.class).orElse(null);
		if (!properties.clients().isEmpty()) {
			logger.info("Clients that may take ranges and lease worker IDs: {}",
					String.join(", ", new TreeSet<>(properties.clients().keySet())));
		}
		return new Clients(properties.clients(), address != null && address.isLoopbackAddress(),
				properties.tokens().keySet(), TimeMeter.SYSTEM_NANOTIME);
	}

	// wraps the store that the generator and RangeServlet share, so that their requests
	// for a key together occupy at most one connection
	@Bean
	static BeanPostProcessor slowKeys(ObjectProvider<RequestTurns> turns) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof SegmentStore store) ? new SlowKeysStore(store, turns.getObject()) : bean;
			}

		};
	}

	@Bean
	ClientActivity clientActivity() {
		return new ClientActivity(InstantSource.system());
	}

	// separate, so that clients without a token cannot occupy the memory of clients with
	// one
	@Bean
	BodyMemory idBodies() {
		return new BodyMemory(Runtime.getRuntime().maxMemory() / MEMORY_SHARE);
	}

	@Bean
	BodyMemory storeBodies() {
		return new BodyMemory(Runtime.getRuntime().maxMemory() / MEMORY_SHARE);
	}

	@Bean
	RequestTurns requestTurns() {
		return new RequestTurns(System::nanoTime);
	}

	@Bean
	ServletContextInitializer rangeServlet(ObjectProvider<SegmentIdGenerator> generators, Clients clients,
			ClientActivity activity, ObjectProvider<SegmentStore> store, RequestTurns turns,
			ObjectProvider<LeafSegmentProperties> segmentProperties, ObjectProvider<LeafProperties> commonProperties,
			Environment environment, BodyMemory storeBodies) {
		SegmentIdGenerator generator = generators.getIfAvailable();
		if (generator == null) {
			// without the servlet, RangeServlet.PATHS get status 404
			return (context) -> {
			};
		}
		LeafSegmentProperties segment = segmentProperties.getObject();
		LeafProperties common = commonProperties.getObject();
		if (segment.autoCreate().enabled() && !environment.containsProperty(AUTO_CREATE_KEYS)
				&& !environment.containsProperty(AUTO_CREATE_KEYS + "[0]")) {
			throw new LeafStartupException(
					"leaf.segment.auto-create.enabled is true, but %s is not set, so every client could add any number of rows to the table."
						.formatted(AUTO_CREATE_KEYS),
					"Set %s to patterns of the keys that clients may add, such as order-*,invoice. To allow any key, set it to *."
						.formatted(AUTO_CREATE_KEYS));
		}
		RangeSettings settings = new RangeSettings(segment.maxStep(),
				(key) -> common.keys().containsKey(key) && common.keys().get(key).period() != null,
				(key) -> segment.autoCreate().creates(key));
		return new ServletRegistrationBean<>(new RangeServlet(generator,
				new LimitedSegmentStore(store.getObject(), turns), settings, clients, activity, storeBodies),
				RangeServlet.PATHS);
	}

	@Bean
	ServletContextInitializer leaseServlet(ObjectProvider<ConnectionSource> databases, Clients clients,
			ClientActivity activity, ObjectProvider<LeafSegmentProperties> segment, RequestTurns turns,
			BodyMemory storeBodies) {
		ConnectionSource database = databases.getIfAvailable();
		if (database == null) {
			// without the servlet, LeaseServlet.PATHS get status 404
			return (context) -> {
			};
		}
		TableName table = segment.getObject().tableName().inSameSchema(JdbcWorkerLeaseStore.DEFAULT_TABLE);
		return new ServletRegistrationBean<>(new LeaseServlet(
				(name) -> new LimitedLeaseStore(
						new JdbcWorkerLeaseStore(database.dataSource(), database.database(), table, name), turns, name),
				clients, activity, storeBodies), LeaseServlet.PATHS);
	}

	@Bean
	ServletRegistrationBean<OpenApiServlet> openApiServlet() {
		return new ServletRegistrationBean<>(new OpenApiServlet(), "/openapi.json");
	}

}
