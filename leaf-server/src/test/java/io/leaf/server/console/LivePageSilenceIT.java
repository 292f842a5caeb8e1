// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the live page with a server that sends one event and then nothing more, without
 * closing the connection, like a paused server or a network that drops all packets.
 */
@EnabledIf("io.leaf.server.console.Chromium#isWanted")
class LivePageSilenceIT {

	@TempDir
	private Path profile;

	private final AtomicInteger connections = new AtomicInteger();

	private final CountDownLatch over = new CountDownLatch(1);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private HttpServer server;

	private Chromium browser;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", LivePageSilenceIT::file);
		this.server.createContext("/events", this::sendOneEvent);
		this.server.start();
		this.browser = new Chromium(this.profile);
	}

	@AfterEach
	void stop() {
		this.over.countDown();
		if (this.browser != null) {
			this.browser.close();
		}
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	private static void file(HttpExchange exchange) throws IOException {
		String path = exchange.getRequestURI().getPath();
		String name = path.equals("/") ? "/page/index.html"
				: path.startsWith("/webjars/") ? "/META-INF/resources" + path : path;
		try (exchange; InputStream file = LivePageSilenceIT.class.getResourceAsStream(name)) {
			String type = name.endsWith(".js") ? "text/javascript" : name.endsWith(".css") ? "text/css" : "text/html";
			exchange.getResponseHeaders().set("Content-Type", type);
			exchange.sendResponseHeaders((file != null) ? 200 : 404, 0);
			if (file != null) {
				file.transferTo(exchange.getResponseBody());
			}
		}
	}

	private void sendOneEvent(HttpExchange exchange) throws IOException {
		int connection = this.connections.incrementAndGet();
		try (exchange) {
			exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
			exchange.sendResponseHeaders(200, 0);
			OutputStream body = exchange.getResponseBody();
			String event = "data:" + ReportJson.whole(Reports.TIME,
					Reports.of(Map.of("key-" + connection, Reports.key(1))), Reports.NO_CLIENTS) + "\n\n";
			body.write(event.getBytes(StandardCharsets.UTF_8));
			body.flush();
			this.over.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void thePageReconnectsToAServerThatStopsSending() {
		this.browser.open("http://localhost:" + this.server.getAddress().getPort() + "/");
		await().atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(this.browser.text("#list .name")).isEqualTo("key-1"));
		await().atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(this.browser.text("#connection")).startsWith("Connection lost since"));
		await().atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(this.browser.text("#list")).contains("key-2"));
		assertThat(this.browser.text("#list")).as("a whole report replaces all keys").doesNotContain("key-1");
	}

}
