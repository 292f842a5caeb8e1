// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.bucket4j.TimeMeter;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.TestSettings;
import io.leaf.server.ClientActivity;
import io.leaf.server.LeafServerProperties;
import io.leaf.server.api.RangeServlet.RangeSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RangeServlet}.
 */
class RangeServletTests {

	private static final Instant NOW = Instant.parse("2026-01-31T10:00:00.123456Z");

	private final StubStore store = new StubStore();

	private final ClientActivity activity = new ClientActivity(() -> NOW);

	private final BodyMemory memory = new BodyMemory(100_000);

	private final ManualTimeMeter clock = new ManualTimeMeter();

	@AutoClose
	private final SegmentIdGenerator generator = new SegmentIdGenerator(this.store,
			TestSettings.DEFAULTS.toBuilder()
				.prefetchAt(0.5)
				.maxStep(1000)
				.acquireTimeout(Duration.ofSeconds(10))
				.refreshInterval(Duration.ofDays(1))
				.giveBack(false)
				.aboveExistingIds(false)
				.build());

	private final RangeServlet servlet = servlet(
			new Clients(
					Map.of("shop",
							new LeafServerProperties.Client("sesame", "former", List.of("order*"), List.of("shop"),
									1000),
							"billing",
							new LeafServerProperties.Client("billing's", null, List.of("invoice"), List.of("*"), 2)),
					false, Set.of(), this.clock));

	private RangeServlet servlet(Clients clients) {
		return new RangeServlet(this.generator, this.store,
				new RangeSettings(1000, "order-daily"::equals, "order-new"::equals), clients, this.activity,
				this.memory);
	}

	@Test
	void aRangeComesFromTheTableIfNoNumberIsInMemory() throws IOException {
		assertThat(body("/allocate/order?size=10&floor=7"))
			.isEqualTo("{\"from\":\"100\",\"to\":\"110\",\"rowStep\":\"50\",\"buffered\":false}");
		assertThat(this.store.calls).containsExactly("find [order]", "allocate order 10 from 7 in PT1S");
	}

	@Test
	void aRangeComesFromMemory() throws IOException {
		this.generator.start();
		assertThat(this.generator.nextId("order")).isEqualTo(100);
		this.store.calls.clear();
		assertThat(body("/allocate/order?size=10"))
			.isEqualTo("{\"from\":\"101\",\"to\":\"111\",\"rowStep\":\"50\",\"buffered\":true}");
		assertThat(this.store.calls).isEmpty();
		assertThat(body("/allocate/order?size=10&direct=true")).contains("\"buffered\":false");
		assertThat(body("/allocate/order?size=10&floor=5000")).contains("\"buffered\":false");
		assertThat(this.store.calls).containsExactly("allocate order 10 from 0 in PT1S",
				"allocate order 10 from 5000 in PT1S");
	}

	@Test
	void rangesAreRecordedByClientAndKey() throws IOException {
		body("/allocate/order?size=10");
		body("/allocate/order?size=5");
		body("/rows");
		assertThat(this.activity.report().ranges()).containsExactly(new ClientActivity.Ranges("shop", "order", 2, 15));
	}

	@Test
	void aRangeHasNoMoreNumbersThanTheMaxStepOfTheServer() throws IOException {
		assertThat(body("/allocate/order?size=5000")).startsWith("{\"from\":\"100\",\"to\":\"1100\"");
	}

	@Test
	void requestsForWhichThereIsNoMemoryAreRefused() throws IOException {
		for (int size : List.of(65_000, -1)) {
			int other = this.memory.reserve(40_000);
			MockHttpServletResponse response = answer(this.servlet, form(size));
			assertThat(response.getStatus()).as("%d", size).isEqualTo(503);
			assertThat(response.getContentAsString()).contains("occupy the memory");
			assertThat(answer(this.servlet, form(1000)).getStatus()).isEqualTo(200);
			this.memory.release(other);
			assertThat(answer(this.servlet, form(size)).getStatus()).as("%d", size).isEqualTo(200);
		}
		int small = this.memory.reserve(10_000);
		assertThat(answer(this.servlet, form(200_000)).getStatus()).as("not more than Tomcat reads is reserved")
			.isEqualTo(200);
		this.memory.release(small);
		this.store.more = 1000;
		assertThat(body("/rows").length()).isGreaterThan(BodyMemory.SMALL);
		int other = this.memory.reserve(99_000);
		assertThat(answer(this.servlet, request("/rows")).getStatus()).as("a large response").isEqualTo(503);
		this.memory.release(other);
		assertThat(answer(this.servlet, request("/rows")).getStatus()).isEqualTo(200);
	}

	@Test
	void aListingDoesNotWaitForTheMemoryOfItsOwnRequest() throws IOException {
		this.store.more = 1000;
		MockHttpServletResponse response = answer(this.servlet, chunked("/rows"));
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getContentLength()).as("together, the bodies exceed the limit of 100,000 bytes")
			.isGreaterThan(40_000);
		int other = this.memory.reserve(30_000);
		assertThat(answer(this.servlet, request("/rows")).getStatus()).isEqualTo(200);
		assertThat(answer(this.servlet, chunked("/rows")).getStatus()).as("both bodies are in memory").isEqualTo(503);
		this.memory.release(other);
	}

	private static MockHttpServletRequest chunked(String path) {
		MockHttpServletRequest request = request(path);
		request.setContentType("application/x-www-form-urlencoded");
		request.addHeader("Transfer-Encoding", "chunked");
		return request;
	}

	@Test
	void numbersThatWereGivenBackAreNotReportedAsRefusedForLackOfMemory() throws IOException {
		String pairs = IntStream.range(0, 300)
			.mapToObj((i) -> "&key=order-" + "x".repeat(20) + i + "&from=1&to=2")
			.collect(Collectors.joining());
		int other = this.memory.reserve(100_000);
		MockHttpServletResponse response = answer(this.servlet, request("/give-back?" + pairs.substring(1)));
		this.memory.release(other);
		assertThat(this.store.calls).anyMatch((call) -> call.startsWith("give"));
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getContentLength()).isGreaterThan(BodyMemory.SMALL);
	}

	// a size of -1 means that the size is not known, as with chunked transfer encoding
	private static MockHttpServletRequest form(int size) {
		MockHttpServletRequest request = request("/allocate/order?size=1");
		request.setContentType("application/x-www-form-urlencoded");
		if (size < 0) {
			request.addHeader("Transfer-Encoding", "chunked");
		}
		else {
			request.setContent(new byte[size]);
		}
		return request;
	}

	@Test
	void aRangeOfAPeriodIsAllocatedInTheRequestedWindow() throws IOException {
		String window = "&from=5&to=90&since=2026-01-30T16:00:00Z&until=2026-01-31T16:00:00Z&gap=10&raises=2&raised-at=2026-01-01T00:00:00Z&timeout=250";
		assertThat(body("/allocate/order-daily?size=10" + window)).startsWith("{\"from\":\"5\",\"to\":\"15\"");
		assertThat(this.store.calls).last()
			.isEqualTo(
					"allocate order-daily 10 in Window[from=5, to=90, since=2026-01-30T16:00:00Z, until=2026-01-31T16:00:00Z, raises=Raises[gap=10, total=2, latest=[2026-01-01T00:00:00Z]]] in PT0.25S");
		assertThat(body("/allocate/order-daily?size=89" + window)).isEqualTo("{}");
	}

	@Test
	void theCounterIsReadWithTheTime() throws IOException {
		assertThat(body("/counter/order")).contains("\"next\":\"100\"", "\"time\":\"2026-01-31T10:00:00.123456Z\"",
				"\"gap\":\"10\"", "\"raises\":\"1\"", "\"raisedAt\":[\"2026-01-31T10:00:00.123456Z\"]");
	}

	@Test
	void onlyRowsThatTheClientMayUseAreShown() throws IOException {
		assertThat(body("/rows")).contains("\"order\"", "\"order+1%2F%22%5C\"").doesNotContain("invoice");
		assertThat(body("/rows?key=order&key=invoice")).contains("\"order\"").doesNotContain("invoice");
	}

	@Test
	void numbersAreGivenBackToTheTableOnce() throws IOException {
		assertThat(body("/give-back?key=order&from=5&to=9&key=order-gone&from=1&to=2"))
			.isEqualTo("{\"keys\":[\"order\"]}");
		assertThat(this.store.calls).containsExactly("find [order, order-gone]",
				"giveBack [Unissued[key=order, from=5, to=9]]");
	}

	@Test
	void aRowIsAddedForKeysOfAutoCreate() throws IOException {
		assertThat(body("/create/order-new?step=10&from=7")).isEqualTo("{}");
		assertThat(this.store.calls).containsExactly("create order-new 10 from 7");
	}

	@Test
	void theTableIsChecked() throws IOException {
		assertThat(body("/check")).isEqualTo("{}");
		assertThat(this.store.calls).containsExactly("check");
	}

	@Test
	void theKeyMayBeAParameter() throws IOException {
		assertThat(body("/allocate?key=order&size=10")).contains("\"from\":\"100\"");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					/allocate/order                                   | 'size' must be a number from 1 to 1000000000
					/allocate/order?size=0                            | 'size'
					/allocate/order?size=x                            | 'size'
					/allocate/order?size=99999999999999999999         | 'size'
					/allocate/order?size=1&floor=-1                   | 'floor'
					/allocate/order?size=1&floor=9223372036854775807  | 'floor'
					/allocate/order?size=1&timeout=0                  | 'timeout'
					/allocate/order?size=1&until=yesterday            | 'from'
					/allocate/order?size=1&until=yesterday&from=1&to=2| 'since'
					/allocate/order?size=1&until=2026-01-31T16:00:00Z&from=2&to=2&since=2026-01-31T16:00:00Z | 'to'
					/allocate/order?size=1&until=2026-01-31T16:00:00Z&from=1&to=2&since=-1000000000-01-01T00:00:00Z | 'since'
					/allocate/order?size=1&until=2026-01-31T16:00:00Z&from=1&to=2&since=0000-12-31T23:59:59Z | 'since'
					/allocate/order?size=1&until=+10000-01-01T00:00:00Z&from=1&to=2&since=0001-01-01T00:00:00Z | 'until' must be a time such as 2026-01-31T00:00:00Z in the years 1 to 9999
					/allocate/order?size=1&until=9999-12-31T23:59:59.999Z&from=1&to=2&since=0001-01-01T00:00:00Z&raised-at=+10000-01-01T00:00:00Z | 'raised-at'
					/allocate?size=1                                  | 'key'
					/rows?keys=order                                  | 'keys' is not known. Send only the parameter 'key'
					/rows?key=order&timeout=5                         | 'timeout'
					/create/order-new?step=0                          | 'step'
					/create/order-new?step=1&from=0                   | 'from'
					/give-back                                        | 'key', 'from' and 'to'
					/give-back?key=order&from=1                       | 'key', 'from' and 'to'
					/give-back?key=order&from=5&to=5                  | 'to'
					/give-back?key=order&from=1&to=2&key=order&from=1&to=2 | once
					""")
	void theProblemNamesTheBadParameter(String path, String text) throws IOException {
		assertRefused(path, 400, text);
		assertThat(this.store.calls).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			/allocate/order?size=1001&direct=true | leaf.segment.max-step
			/allocate/order-daily?size=1        | has a period on the server
			/create/order?step=1                | leaf.segment.auto-create.keys
			/allocate/order-refused?size=1      | its step is 0
			""")
	void aRefusalOfTheServerIsAConflict(String path, String text) throws IOException {
		assertRefused(path, 409, text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/allocate/order-gone?size=1", "/counter/order-gone", "/allocate/ORDER?size=1" })
	void anUnknownKeyHasItsOwnProblemType(String path) throws IOException {
		RangeServlet open = servlet(new Clients(Map.of(), true, Set.of(), this.clock));
		MockHttpServletResponse response = answer(open, request(path));
		assertThat(response.getStatus()).isEqualTo(404);
		assertThat(response.getContentAsString()).contains("\"type\":\"urn:leaf:unknown-key\"");
		assertThat(this.store.calls).noneMatch((call) -> call.startsWith("allocate"));
	}

	@Test
	void anUnreachableTableIsReportedAsUnavailable() throws IOException {
		assertRefused("/allocate/order-unreachable?size=1", 503, "Cannot reach");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/allocate/order?size=1", "/allocate/order?size=x", "/counter/order", "/create/order-new",
			"/rows", "/give-back", "/check", "/allocate/order-gone?size=1" })
	void theTableIsNotReadWithoutAValidToken(String path) throws IOException {
		for (String authorization : new String[] { null, "", "sesame", "Basic sesame", "Bearer ", "Bearer Sesame",
				"Bearer sesame2" }) {
			MockHttpServletRequest request = request(path);
			request.removeHeader("Authorization");
			if (authorization != null) {
				request.addHeader("Authorization", authorization);
			}
			MockHttpServletResponse response = answer(this.servlet, request);
			assertThat(response.getStatus()).isEqualTo(401);
			assertThat(response.getHeader("WWW-Authenticate")).isEqualTo("Bearer");
		}
		assertThat(this.store.calls).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/allocate/invoice?size=1", "/counter/invoice", "/create/invoice?step=1",
			"/give-back?key=order&from=1&to=2&key=invoice&from=1&to=2" })
	void keysOfOtherClientsAreForbiddenBeforeTheTableIsRead(String path) throws IOException {
		assertRefused(path, 403, "Client 'shop' may not use key 'invoice'");
		assertThat(this.store.calls).isEmpty();
	}

	@Test
	void theFormerTokenIsAccepted() throws IOException {
		MockHttpServletRequest request = request("/allocate/order?size=1");
		request.removeHeader("Authorization");
		request.addHeader("Authorization", "bearer former");
		assertThat(answer(this.servlet, request).getStatus()).isEqualTo(200);
	}

	@Test
	void aClientThatSendsTooManyRequestsIsRefusedBeforeTheTableIsRead() throws IOException {
		assertThat(invoice().getStatus()).isEqualTo(200);
		assertThat(invoice().getStatus()).isEqualTo(200);
		this.store.calls.clear();
		MockHttpServletResponse refused = invoice();
		assertThat(refused.getStatus()).isEqualTo(429);
		assertThat(refused.getHeader("Retry-After")).isEqualTo("1");
		assertThat(refused.getContentAsString()).contains("Client 'billing' sends too many requests",
				"leaf.server.clients.billing.requests-per-second");
		assertThat(this.store.calls).isEmpty();
		assertThat(answer(this.servlet, request("/allocate/order?size=1")).getStatus()).as("another client")
			.isEqualTo(200);
		this.clock.now += 500_000_000;
		assertThat(invoice().getStatus()).as("half a second later").isEqualTo(200);
		assertThat(invoice().getStatus()).isEqualTo(429);
	}

	private MockHttpServletResponse invoice() throws IOException {
		MockHttpServletRequest request = request("/allocate/invoice?size=1");
		request.removeHeader("Authorization");
		request.addHeader("Authorization", "Bearer billing's");
		return answer(this.servlet, request);
	}

	@Test
	void withoutClientsTheServerRefusesRangesUnlessItListensOnLoopback() throws IOException {
		MockHttpServletResponse closed = answer(servlet(new Clients(Map.of(), false, Set.of(), this.clock)),
				request("/allocate/order?size=1"));
		assertThat(closed.getStatus()).isEqualTo(401);
		assertThat(closed.getContentAsString()).contains("leaf.server.clients.<name>.token");
		RangeServlet local = servlet(new Clients(Map.of(), true, Set.of("order-secret"), this.clock));
		assertThat(answer(local, request("/allocate/order?size=1")).getStatus()).isEqualTo(200);
		assertThat(answer(local, request("/allocate/order-secret?size=1")).getStatus()).isEqualTo(403);
		assertThat(answer(local, request("/rows")).getContentAsString()).doesNotContain("order-secret");
	}

	@Test
	void requestsOfWebPagesAreRefused() throws IOException {
		MockHttpServletRequest request = request("/allocate/order?size=1");
		request.addHeader("Origin", "http://localhost:8080");
		assertThat(answer(this.servlet, request).getStatus()).isEqualTo(403);
		assertThat(this.store.calls).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW" })
	void onlyPostIsAllowed(String method) throws IOException {
		MockHttpServletRequest request = request("/allocate/order?size=1");
		request.setMethod(method);
		MockHttpServletResponse response = answer(this.servlet, request);
		assertThat(response.getStatus()).isEqualTo(405);
		assertThat(response.getHeader("Allow")).isEqualTo("POST");
		assertThat(this.store.calls).isEmpty();
	}

	private void assertRefused(String path, int status, String text) throws IOException {
		MockHttpServletResponse response = answer(this.servlet, request(path));
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(response.getContentType()).startsWith("application/problem+json");
		assertThat(response.getContentAsString()).contains(text);
		assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
	}

	private String body(String path) throws IOException {
		MockHttpServletResponse response = answer(this.servlet, request(path));
		assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(200);
		assertThat(response.getContentType()).isEqualTo("application/json");
		assertThat(response.getContentLength()).isEqualTo(response.getContentAsByteArray().length);
		return response.getContentAsString();
	}

	private static MockHttpServletRequest request(String path) {
		String[] parts = path.split("[?&]");
		int slash = parts[0].indexOf('/', 1);
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/segment" + parts[0]);
		request.setServletPath("/api/segment" + ((slash > 0) ? parts[0].substring(0, slash) : parts[0]));
		request.setPathInfo((slash > 0) ? parts[0].substring(slash) : null);
		for (int i = 1; i < parts.length; i++) {
			request.addParameter(parts[i].split("=")[0], parts[i].split("=")[1]);
		}
		request.addHeader("Authorization", "Bearer sesame");
		return request;
	}

	private static MockHttpServletResponse answer(RangeServlet servlet, MockHttpServletRequest request)
			throws IOException {
		MockHttpServletResponse response = new MockHttpServletResponse();
		servlet.service(request, response);
		return response;
	}

	private static final class ManualTimeMeter implements TimeMeter {

		private long now;

		@Override
		public long currentTimeNanos() {
			return this.now;
		}

		@Override
		public boolean isWallClockBased() {
			return false;
		}

	}

	private static final class StubStore implements SegmentStore {

		private int more;

		private final List<String> calls = new ArrayList<>();

		private long next = 100;

		@Override
		public Allocation allocate(String key, long size, long floor, Duration timeout) {
			this.calls.add("allocate %s %d from %d in %s".formatted(key, size, floor, timeout));
			if (key.equals("order-refused")) {
				throw new SegmentStoreException("The row cannot be used: its step is 0", null, true);
			}
			if (key.equals("order-unreachable")) {
				throw new SegmentStoreException("Cannot reach the database", null, false);
			}
			long from = Math.max(this.next, floor);
			this.next = from + size;
			return new Allocation(from, from + size, 50);
		}

		@Override
		public Allocation allocate(String key, long size, Window window, Duration timeout) {
			this.calls.add("allocate %s %d in %s in %s".formatted(key, size, window, timeout));
			return (window.from() + size <= window.to()) ? new Allocation(window.from(), window.from() + size, 50)
					: null;
		}

		@Override
		public Counter read(String key, Duration timeout) {
			return new Counter(this.next, NOW, new Raises(10, 1, List.of(NOW)));
		}

		@Override
		public Set<String> giveBack(List<Unissued> unissued) {
			this.calls.add("giveBack " + unissued);
			return unissued.stream().map(Unissued::key).collect(Collectors.toSet());
		}

		@Override
		public void checkWritable() {
			this.calls.add("check");
		}

		@Override
		public List<SegmentRow> findAll() {
			this.calls.add("findAll");
			List<SegmentRow> rows = new ArrayList<>(
					List.of(new SegmentRow("order", 100, 50), new SegmentRow("invoice", 5, 50),
							new SegmentRow("order-secret", 5, 50), new SegmentRow("order 1/\"\\", 5, 50)));
			for (int i = 0; i < this.more; i++) {
				rows.add(new SegmentRow("order-" + i, 1, 50));
			}
			return rows;
		}

		// ignores letter case, like a case-insensitive collation
		@Override
		public List<SegmentRow> find(Collection<String> keys) {
			this.calls.add("find " + List.copyOf(keys));
			return keys.stream()
				.filter((key) -> !key.endsWith("gone"))
				.map((key) -> new SegmentRow(key.toLowerCase(Locale.ROOT), 100, 50))
				.toList();
		}

		@Override
		public void create(String key, int step, long from) {
			this.calls.add("create %s %d from %d".formatted(key, step, from));
		}

	}

}
