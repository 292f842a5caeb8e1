// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.server;

import java.net.URI;
import java.util.Map;
import java.util.stream.Stream;

import io.leaf.http.LeafServers;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerWorkerLeaseStore} without a server.
 */
class ServerWorkerLeaseStoreTests {

	@Test
	void identityDoesNotDependOnTheOrderOfTheServers() {
		assertThat(identity("http://leaf-2:8080", "http://leaf-1:8080"))
			.isEqualTo("server http://leaf-1:8080,http://leaf-2:8080")
			.isEqualTo(identity("http://leaf-1:8080", "http://leaf-2:8080"))
			.isNotEqualTo(identity("http://leaf-1:8080"));
	}

	private static String identity(String... urls) {
		try (LeafServers servers = new LeafServers(Stream.of(urls).map(URI::create).toList(), null, null,
				ObservationRegistry.NOOP, (json) -> Map.of())) {
			return new ServerWorkerLeaseStore(servers, "orders").identity();
		}
	}

}
