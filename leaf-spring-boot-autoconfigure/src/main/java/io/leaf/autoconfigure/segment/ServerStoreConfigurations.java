// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.util.function.Predicate;

import javax.net.ssl.SSLContext;

import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Source;
import io.leaf.autoconfigure.properties.LeafServersProperties;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.http.LeafServers;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.server.ServerSegmentStore;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/**
 * The store that takes segments from Leaf servers.
 */
final class ServerStoreConfigurations {

	private static final String REST_CLIENT = "org.springframework.web.client.RestClient";

	private ServerStoreConfigurations() {
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSegmentSource(Source.SERVER)
	@ConditionalOnClass(RestClient.class)
	@ConditionalOnMissingBean(SegmentStore.class)
	@EnableConfigurationProperties(LeafServersProperties.class)
	static class Server {

		@Bean
		LeafServers leafServers(LeafServersProperties properties, ObjectProvider<SslBundles> bundles,
				ObjectProvider<ObservationRegistry> observations) {
			return new LeafServers(properties.checkedUrls(), properties.token(),
					ssl(properties.sslBundle(), bundles.getIfAvailable()),
					observations.getIfUnique(() -> ObservationRegistry.NOOP),
					JsonParserFactory.getJsonParser()::parseMap);
		}

		private static @Nullable SSLContext ssl(@Nullable String name, @Nullable SslBundles bundles) {
			if (name == null) {
				return null;
			}
			try {
				if (bundles != null) {
					return bundles.getBundle(name).createSslContext();
				}
			}
			catch (NoSuchSslBundleException ex) {
				throw new LeafStartupException(
						"There is no SSL bundle '%s', which leaf.server.ssl-bundle names.".formatted(name),
						"Configure spring.ssl.bundle.pem.%1$s or spring.ssl.bundle.jks.%1$s.".formatted(name), ex);
			}
			throw new LeafStartupException(
					"The property leaf.server.ssl-bundle is '%s', but the application has no SslBundles bean."
						.formatted(name),
					"Do not exclude Spring Boot's SslAutoConfiguration.");
		}

		@Bean
		ServerSegmentStore leafSegmentStore(LeafServers servers, LeafProperties common,
				LeafSegmentProperties properties) {
			Predicate<String> global = (key) -> {
				LeafProperties.Key settings = common.keys().get(key);
				Ordering own = (settings != null) ? settings.ordering() : null;
				return ((own != null) ? own : properties.ordering()) == Ordering.GLOBAL;
			};
			return new ServerSegmentStore(servers, global);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSegmentSource(Source.SERVER)
	@ConditionalOnMissingClass(REST_CLIENT)
	@ConditionalOnMissingBean(SegmentStore.class)
	static class MissingClient {

		@Bean
		SegmentStore leafSegmentStore() {
			throw new LeafStartupException("The property leaf.segment.source is server, but %s is not on the classpath."
				.formatted(REST_CLIENT), "Add org.springframework:spring-web.");
		}

	}

}
