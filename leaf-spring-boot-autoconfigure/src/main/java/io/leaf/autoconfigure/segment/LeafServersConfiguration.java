// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import javax.net.ssl.SSLContext;

import io.leaf.autoconfigure.properties.LeafServersProperties;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.http.LeafServers;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the client of the Leaf servers, which provide segments, worker IDs, or both.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafServersProperties.class)
public class LeafServersConfiguration {

	@Bean
	LeafServers leafServers(LeafServersProperties properties, ObjectProvider<SslBundles> bundles,
			ObjectProvider<ObservationRegistry> observations) {
		// the order is random, so that applications do not all use the same server
		List<URI> urls = new ArrayList<>(properties.checkedUrls());
		Collections.shuffle(urls, ThreadLocalRandom.current());
		return new LeafServers(urls, properties.checkedToken(), ssl(properties.sslBundle(), bundles.getIfAvailable()),
				observations.getIfUnique(() -> ObservationRegistry.NOOP), JsonParserFactory.getJsonParser()::parseMap);
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
					"The property leaf.server.ssl-bundle is '%s', but there is no such SSL bundle.".formatted(name),
					"Configure spring.ssl.bundle.pem.%1$s or spring.ssl.bundle.jks.%1$s.".formatted(name), ex);
		}
		throw new LeafStartupException(
				"The property leaf.server.ssl-bundle is '%s', but the application has no SslBundles bean."
					.formatted(name),
				"Do not exclude Spring Boot's SslAutoConfiguration.");
	}

}
