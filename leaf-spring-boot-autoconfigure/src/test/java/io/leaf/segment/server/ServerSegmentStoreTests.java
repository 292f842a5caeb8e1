// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpServer;
import io.leaf.http.LeafServers;
import io.leaf.segment.SegmentStoreException;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ServerSegmentStore} with several servers. Its contract is tested in
 * {@code leaf-server}, with a server.
 */
class ServerSegmentStoreTests {

	private final List<HttpServer> stubs = new ArrayList<>();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	@AfterEach
	void stop() {
		this.stubs.forEach((stub) -> stub.stop(0));
	}

	@Test
	void eachServerReceivesTheTimeForWhichTheClientWaitsForThatServer() throws IOException {
		ServerSegmentStore store = store(stub(503, "{}"), stub(503, "{}"));
		assertThatExceptionOfType(SegmentStoreException.class)
			.isThrownBy(() -> store.allocate("order", 10, 0, Duration.ofSeconds(1)));
		assertThatExceptionOfType(SegmentStoreException.class)
			.isThrownBy(() -> store.read("order", Duration.ofSeconds(1)));
		assertThat(this.requests).hasSize(4).allMatch((request) -> request.contains("timeout=500"));
	}

	@Test
	void keysAreLookedUpOnTheNextServerWhileCallersStillWait() throws IOException {
		// accepts connections, but reads nothing from them
		try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
			ServerSegmentStore store = store(URI.create("http://127.0.0.1:" + silent.getLocalPort()),
					stub(200, "{\"rows\":[{\"key\":\"order\",\"maxId\":\"1\",\"step\":\"10\"}]}"));
			long start = System.nanoTime();
			assertThat(store.find(List.of("order"))).hasSize(1);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
		}
	}

	private static ServerSegmentStore store(URI... urls) {
		return new ServerSegmentStore(new LeafServers(List.of(urls), null, null, ObservationRegistry.NOOP,
				JsonParserFactory.getJsonParser()::parseMap), (key) -> false);
	}

	private URI stub(int status, String body) throws IOException {
		HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		stub.createContext("/", (exchange) -> {
			this.requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
			byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(status, bytes.length);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		});
		stub.start();
		this.stubs.add(stub);
		return URI.create("http://127.0.0.1:" + stub.getAddress().getPort());
	}

}
