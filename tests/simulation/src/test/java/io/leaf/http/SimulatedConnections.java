// SPDX-License-Identifier: Apache-2.0

package io.leaf.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.leaf.http.LeafServers.Connections;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * Gives the simulation access to the package-private constructor of {@link LeafServers}.
 */
public final class SimulatedConnections {

	private SimulatedConnections() {
	}

	/**
	 * Creates a client with simulated connections.
	 * @param requests creates the factory of the requests, for a given timeout
	 */
	public static LeafServers create(List<URI> urls, Function<Duration, ClientHttpRequestFactory> requests) {
		Connections connections = new Connections() {

			@Override
			public ClientHttpRequestFactory requests(Duration timeout) {
				return requests.apply(timeout);
			}

			@Override
			public void close() {
			}

		};
		return new LeafServers(connections, urls, null, ObservationRegistry.NOOP,
				JsonParserFactory.getJsonParser()::parseMap);
	}

}
