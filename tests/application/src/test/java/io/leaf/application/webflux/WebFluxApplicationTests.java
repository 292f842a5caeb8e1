// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.webflux;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.leaf.application.ApplicationProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the statements of docs/persistence.md about event loops, with event loops that
 * BlockHound monitors.
 */
class WebFluxApplicationTests {

	/**
	 * The step of the keys. It is larger than the number of IDs that a round draws.
	 */
	private static final int STEP = 100;

	private static final int ROUNDS = 12;

	private static final int PER_ROUND = 80;

	/**
	 * Entities are saved once in this number of iterations.
	 */
	private static final int SAVE_INTERVAL = 16;

	private static final HttpClient client = HttpClient.newHttpClient();

	@AutoClose
	private static ApplicationProcess process;

	private static String application;

	private static String preloaded;

	@BeforeAll
	static void start() throws IOException {
		process = ApplicationProcess.start(Path.of("target", "webflux"), ApplicationProcess.classPath(),
				BlockHoundProcess.class.getName(), List.of("-XX:+AllowRedefinitionToAddDeleteMethods"),
				List.of("default", "preloaded"));
		List<Integer> ports = process.awaitPorts(2);
		application = "http://localhost:" + ports.get(0);
		preloaded = "http://localhost:" + ports.get(1);
	}

	@BeforeEach
	void clearBlockingCalls() {
		send(request("/blocking-calls").DELETE()).join();
	}

	@AfterEach
	void endTheDelay() {
		send(post("/slow?slow=false")).join();
	}

	/**
	 * Requests IDs that are not in memory, which blocks the event loop.
	 */
	private static void getWhileTheDatabaseIsSlow(String path) {
		send(post("/slow?slow=true")).join();
		assertThat(get(application, path).statusCode()).isEqualTo(500);
		send(post("/slow?slow=false")).join();
	}

	@Test
	void theFirstIdOfAKeyBlocks() {
		getWhileTheDatabaseIsSlow("/event-loop/ids/order");
		assertThat(blockingCalls()).singleElement()
			.asString()
			.startsWith("reactor-http-")
			.contains("io.leaf.segment.SegmentSequence.nextId(");
		assertThat(get(application, "/ids/order").body()).isEqualTo("1");
		assertThat(get(application, "/event-loop/ids/order").body()).isEqualTo("2");
		assertThat(blockingCalls()).hasSize(1);
	}

	@Test
	void theFirstIdOfAPreloadedKeyDoesNotBlock() {
		awaitNumbers(preloaded, "order", STEP);
		assertThat(get(preloaded, "/event-loop/ids/order").body()).isEqualTo("1");
		assertThat(blockingCalls()).isEmpty();
	}

	@Test
	void aKeyWithoutARowBlocks() {
		getWhileTheDatabaseIsSlow("/event-loop/ids/new");
		assertThat(blockingCalls()).singleElement().asString().contains("io.leaf.segment.KeyLookUps.lookUp(");
		assertThat(get(application, "/ids/newer").body()).isEqualTo("1");
		assertThat(blockingCalls()).hasSize(1);
	}

	@Test
	void aKeyWhoseRowWasAddedSinceTheLastRefreshBlocks() {
		String row = "INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('late', 1, 100)";
		assertThat(send(request("/update").POST(BodyPublishers.ofString(row))).join().body()).isEqualTo("1");
		getWhileTheDatabaseIsSlow("/event-loop/ids/late");
		assertThat(blockingCalls()).singleElement().asString().contains("io.leaf.segment.KeyLookUps.lookUp(");
		assertThat(get(application, "/ids/late").body()).isEqualTo("1");
		assertThat(blockingCalls()).hasSize(1);
	}

	@Test
	void aBatchThatExceedsTheBufferBlocks() {
		assertThat(get(application, "/ids/batch").body()).isEqualTo("1");
		getWhileTheDatabaseIsSlow("/event-loop/ids/batch/5000");
		assertThat(blockingCalls()).singleElement().asString().contains("io.leaf.segment.SegmentSequence.nextIds(");
		assertThat(get(application, "/ids/batch/5000").body()).isEqualTo("5000");
		assertThat(blockingCalls()).hasSize(1);
	}

	@Test
	void aCallerThatWaitsBehindAFailedCallGetsItsId() {
		send(post("/slow?slow=true")).join();
		assertThat(get(application, "/event-loop/ids/shared").statusCode()).isEqualTo(500);
		CompletableFuture<Long> id = id("/ids/shared");
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> JsonPath.<Integer>read(get(application, "/actuator/leaf").body(),
					"$.segment.keys.shared.waits") == 2);
		send(post("/slow?slow=false")).join();
		assertThat(id.join()).isEqualTo(1);
	}

	@Test
	void aBatchThatExceedsTheLimitOfTheClockBlocks() {
		assertThat(get(application, "/event-loop/ids/payment/1000000").statusCode()).isEqualTo(500);
		assertThat(blockingCalls()).singleElement().asString().contains("io.leaf.snowflake.SnowflakeLanes.park(");
		assertThat(get(application, "/ids/payment/1000000").body()).isEqualTo("1000000");
		assertThat(blockingCalls()).hasSize(1);
	}

	@Test
	void asynchronousCallsNeverBlockDuringLookUps() {
		String row = "INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('added', 1, 100)";
		assertThat(send(request("/update").POST(BodyPublishers.ofString(row))).join().body()).isEqualTo("1");
		send(post("/slow?slow=true")).join();
		List<CompletableFuture<Long>> first = ids("/ids/sold");
		List<CompletableFuture<Long>> added = ids("/ids/added");
		CompletableFuture<HttpResponse<String>> saved = send(post("/refunds?customer=Ada"));
		// snowflake IDs do not need the database
		assertThat(get(application, "/event-loop/async/payment/1").body()).isEqualTo("1");
		assertThat(Stream.concat(first.stream(), added.stream())).noneMatch(CompletableFuture::isDone);
		assertThat(saved).isNotDone();
		send(post("/slow?slow=false")).join();
		assertThat(first.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
		assertThat(added.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
		assertThat(JsonPath.<Integer>read(saved.join().body(), "$.id")).isEqualTo(1);
		assertThat(blockingCalls()).isEmpty();
	}

	@Test
	void asynchronousCallsNeverBlockDuringFetches() {
		List<CompletableFuture<HttpResponse<String>>> batches = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			batches.add(send(request("/event-loop/async/load/2000")));
		}
		assertThat(batches.stream().map((batch) -> batch.join().body())).containsOnly("2000");
		assertThat(JsonPath.<Integer>read(get(application, "/actuator/leaf").body(), "$.segment.keys.load.fetches"))
			.isGreaterThanOrEqualTo(16 * 2000 / STEP);
		assertThat(get(application, "/ids/load").body()).isEqualTo("32001");
		assertThat(blockingCalls()).isEmpty();
	}

	@Test
	void asynchronousCallsNeverBlockAtTheLimitOfTheClock() {
		assertThat(get(application, "/event-loop/async/payment/600000").body()).isEqualTo("600000");
		assertThat(blockingCalls()).isEmpty();
	}

	private static List<CompletableFuture<Long>> ids(String path) {
		return Stream.generate(() -> id(path)).limit(4).toList();
	}

	@Test
	void nothingElseBlocksAnEventLoop() {
		Set<Long> numbers = ConcurrentHashMap.newKeySet();
		Set<Long> snowflakes = ConcurrentHashMap.newKeySet();
		numbers.add(Long.valueOf(get(application, "/ids/item").body()));
		for (int round = 0; round < ROUNDS; round++) {
			awaitNumbers(application, "item", PER_ROUND);
			List<CompletableFuture<?>> requests = new ArrayList<>();
			for (int i = 0; i < PER_ROUND; i++) {
				requests.add(id("/event-loop/ids/item").thenAccept(numbers::add));
				requests.add(id("/event-loop/ids/payment").thenAccept(snowflakes::add));
				if (i % SAVE_INTERVAL == 0) {
					requests.add(send(post("/invoices?customer=Grace")));
					requests.add(send(post("/payments?cents=750")));
					requests.add(send(request("/actuator/leaf")));
					requests.add(send(request("/actuator/health")));
					requests.add(send(request("/actuator/metrics/leaf.ids.issued")));
				}
			}
			requests.forEach(CompletableFuture::join);
		}
		assertThat(blockingCalls()).isEmpty();
		assertThat(numbers).hasSize(1 + ROUNDS * PER_ROUND).contains(1L, 1L + ROUNDS * PER_ROUND);
		assertThat(snowflakes).hasSize(ROUNDS * PER_ROUND);
		assertThat(JsonPath.<Integer>read(get(application, "/actuator/leaf").body(), "$.segment.keys.item.fetches"))
			.isGreaterThanOrEqualTo(ROUNDS * PER_ROUND / STEP);
		int saved = ROUNDS * PER_ROUND / SAVE_INTERVAL;
		assertThat(number("SELECT COUNT(*) FROM invoice WHERE id BETWEEN 1001 AND 1000 + " + saved)).isEqualTo(saved);
		assertThat(number("SELECT COUNT(*) FROM payment WHERE id > 2000000000000000000")).isEqualTo(saved);
		assertThat(number("SELECT COUNT(*) FROM leaf_alloc WHERE biz_tag = 'payment'")).isZero();
	}

	/**
	 * Waits until the given number of IDs of a key are in memory.
	 */
	private static void awaitNumbers(String application, String key, int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> JsonPath.<Double>read(
					get(application, "/actuator/metrics/leaf.segment.remaining?tag=key:" + key).body(),
					"$.measurements[0].value") >= count);
	}

	private static List<String> blockingCalls() {
		return JsonPath.read(get(application, "/blocking-calls").body(), "$");
	}

	private static long number(String query) {
		return Long.parseLong(send(request("/number").POST(BodyPublishers.ofString(query))).join().body());
	}

	private static CompletableFuture<Long> id(String path) {
		return send(request(path)).thenApply((response) -> Long.valueOf(response.body()));
	}

	private static HttpResponse<String> get(String application, String path) {
		return send(HttpRequest.newBuilder(URI.create(application + path))).join();
	}

	private static HttpRequest.Builder post(String path) {
		return request(path).POST(BodyPublishers.noBody());
	}

	private static HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(application + path));
	}

	private static CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
		return client.sendAsync(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
	}

}
