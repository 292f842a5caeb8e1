// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import io.leaf.autoconfigure.properties.BeanSelection;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Source;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.http.LeafServers;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.server.ServerSegmentStore;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;

/**
 * Configures the store that fetches segments from Leaf servers.
 */
final class ServerStoreConfigurations {

	private static final String REST_CLIENT = "org.springframework.web.client.RestClient";

	private ServerStoreConfigurations() {
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSegmentSource(Source.SERVER)
	@ConditionalOnClass(RestClient.class)
	@ConditionalOnMissingBean(SegmentStore.class)
	@Import(LeafServersConfiguration.class)
	static class Server {

		@Bean
		ServerSegmentStore leafSegmentStore(LeafServers servers, LeafProperties common,
				LeafSegmentProperties properties) {
			BeanSelection.require("leaf.segment.source", Source.SERVER, properties.source());
			SegmentSettings settings = properties.settings(common.segmentKeys(properties.maxDrift()));
			return new ServerSegmentStore(servers, (key) -> settings.ordering(key) == Ordering.GLOBAL);
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
