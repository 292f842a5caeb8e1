// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leaf.http.LeafServers;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.segment.server.ServerSegmentStore;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.server.ServerWorkerLeaseStore;
import io.micrometer.observation.ObservationRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Replays the exchanges between applications and servers of each version, so that servers
 * and applications can be updated in either order.
 */
class RecordedExchangesTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Instant EPOCH = Instant.parse("2020-01-01T00:00:00Z");

	private final List<Exchange> exchanges = read();

	@Test
	void theServerReturnsTheRecordedResponses() throws Exception {
		HttpClient client = HttpClient.newHttpClient();
		try (ConfigurableApplicationContext server = RangeServers.start("jdbc:h2:mem:" + UUID.randomUUID())) {
			for (Exchange exchange : this.exchanges) {
				HttpResponse<String> response = client
					.send(HttpRequest.newBuilder(URI.create(RangeServers.url(server) + exchange.path()))
						.header("Content-Type", "application/x-www-form-urlencoded")
						.POST(HttpRequest.BodyPublishers.ofString(exchange.form()))
						.build(), HttpResponse.BodyHandlers.ofString());
				assertThat(response.statusCode()).as(exchange.toString()).isEqualTo(exchange.status());
				assertContains(exchange.toString(), json(response.body()), json(exchange.body()));
			}
		}
	}

	// the actual response may have additional fields
	private static void assertContains(String exchange, Object actual, Object recorded) {
		if (recorded instanceof Map<?, ?> fields) {
			assertThat(actual).as(exchange).isInstanceOf(Map.class);
			fields.forEach((name, value) -> assertContains(exchange, ((Map<?, ?>) actual).get(name), value));
		}
		else if (recorded instanceof List<?> items) {
			assertThat(actual).as(exchange).asInstanceOf(InstanceOfAssertFactories.LIST).hasSameSizeAs(items);
			for (int i = 0; i < items.size(); i++) {
				assertContains(exchange, ((List<?>) actual).get(i), items.get(i));
			}
		}
		else if (!"*".equals(recorded)) {
			assertThat(actual).as(exchange).isEqualTo(recorded);
		}
		else {
			assertThat(actual).as(exchange).isNotNull();
		}
	}

	private static Map<String, Object> json(String text) {
		return JsonParserFactory.getJsonParser().parseMap(text);
	}

	/**
	 * Also compares the requests that the library sends with the recorded ones, because a
	 * server of the previous version does not know any others.
	 */
	@Test
	void theLibraryUnderstandsTheRecordedResponses() throws Exception {
		List<String> unexpected = new ArrayList<>();
		HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		int[] next = { 0 };
		stub.createContext("/", (request) -> {
			Exchange exchange = this.exchanges.get(next[0]++);
			String actual = request.getRequestURI() + " "
					+ new String(request.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			if (!actual.strip().equals((exchange.path() + " " + exchange.form()).strip())) {
				unexpected.add(actual);
			}
			respond(request, exchange);
		});
		stub.start();
		try (LeafServers servers = new LeafServers(
				List.of(URI.create("http://127.0.0.1:" + stub.getAddress().getPort())), null, null,
				ObservationRegistry.NOOP, RecordedExchangesTests::json)) {
			useSegments(servers, next);
			useLeases(new ServerWorkerLeaseStore(servers, "shop"));
		}
		finally {
			stub.stop(0);
		}
		assertThat(unexpected).isEmpty();
		assertThat(next[0]).isEqualTo(this.exchanges.size());
	}

	private static void respond(HttpExchange request, Exchange exchange) throws IOException {
		byte[] body = exchange.body()
			.replace("\"time\":\"*\"",
					exchange.path().contains("lease") ? "\"time\":\"1795000000000\""
							: "\"time\":\"2026-01-31T10:00:00.123Z\"")
			.replace("\"*\"", "\"1795000000000\"")
			.getBytes(StandardCharsets.UTF_8);
		request.sendResponseHeaders(exchange.status(), body.length);
		request.getResponseBody().write(body);
		request.close();
	}

	private static void useSegments(LeafServers servers, int[] next) {
		SegmentStore store = new ServerSegmentStore(servers, "order/1"::equals);
		SegmentStore buffered = new ServerSegmentStore(servers, (key) -> false);
		store.checkWritable();
		assertThat(store.findAll()).isEmpty();
		store.create("order/1", 50, 100);
		assertThat(store.find(List.of("order/1", "other"))).containsExactly(new SegmentRow("order/1", 100, 50));
		assertThat(buffered.allocate("order/1", 50, 0, SECOND)).isEqualTo(new Allocation(100, 150, 50));
		assertThat(store.allocate("order/1", 10, 500, SECOND)).isEqualTo(new Allocation(500, 510, 50));
		assertThat(store.allocate("other", 50, 0, SECOND)).isNull();
		assertThat(store.read("order/1", SECOND)).isNotNull()
			.satisfies((counter) -> assertThat(counter.next()).isEqualTo(510))
			.satisfies((counter) -> assertThat(counter.raises()).isEqualTo(Raises.NONE));
		assertThat(store.allocate("order/1", 5,
				new Window(600, 700, EPOCH, Instant.parse("2120-01-01T00:00:00Z"), Raises.NONE), SECOND))
			.isEqualTo(new Allocation(600, 605, 50));
		assertThat(store.allocate("order/1", 5,
				new Window(700, 800, EPOCH, Instant.parse("2020-01-02T00:00:00Z"), Raises.NONE), SECOND))
			.isNull();
		assertThat(store.giveBack(List.of(new Unissued("order/1", 601, 605)))).containsExactly("order/1");
		// skips a recorded request for no numbers, which the library never sends
		next[0]++;
	}

	private static void useLeases(WorkerLeaseStore store) {
		Lease lease = new Lease("a/1", 1_795_000_000_000L, "10.0.0.1:8080", 1_794_000_000_000L, 1_794_000_000_001L, 77);
		store.open(layout(41, 10));
		assertThat(store.readAll()).isEmpty();
		assertThat(store.newWorkerId(Set.of(0L))).hasValue(1);
		assertThat(store.write(1, WorkerLeaseStore.ABSENT, lease)).isTrue();
		assertThat(store.write(1, 5,
				new Lease("b", 1_795_000_000_000L, "10.0.0.1:8080", 1_794_000_000_000L, 1_794_000_000_001L, 78)))
			.isFalse();
		assertThat(store.read(1)).isNotNull()
			.satisfies((record) -> assertThat(record.lease()).isEqualTo(lease))
			.satisfies((record) -> assertThat(record.storedAt()).isEqualTo(1_795_000_000_000L));
		assertThat(store.currentTime()).hasValue(1_795_000_000_000L);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.open(layout(40, 11)))
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	private static SnowflakeLayout layout(int timestampBits, int workerBits) {
		return new SnowflakeLayout(timestampBits, workerBits, 12, SnowflakeLayout.Unit.MILLISECONDS, EPOCH);
	}

	private static List<Exchange> read() {
		List<Exchange> exchanges = new ArrayList<>();
		try (InputStream resource = RecordedExchangesTests.class.getResourceAsStream("/exchanges-0.1.txt")) {
			String request = "";
			for (String line : new String(resource.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
				if (line.startsWith("> ")) {
					request = line.substring(2);
				}
				else if (line.startsWith("< ")) {
					String[] parts = (request + " ").split(" ", 2);
					exchanges.add(new Exchange(parts[0], parts[1].strip(), Integer.parseInt(line.substring(2, 5)),
							line.substring(6)));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return exchanges;
	}

	/**
	 * A request and its response.
	 */
	private record Exchange(String path, String form, int status, String body) {

	}

}
