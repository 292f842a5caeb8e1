// SPDX-License-Identifier: Apache-2.0

package io.leaf.http;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafServers}.
 */
class LeafServersTests {

	private static final Function<String, Map<String, Object>> JSON = JsonParserFactory.getJsonParser()::parseMap;

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final List<Stub> stubs = new ArrayList<>();

	@AfterEach
	void stop() {
		this.stubs.forEach((stub) -> stub.server.stop(0));
	}

	@Test
	void sendsParametersAndTokenWithPost() throws IOException {
		Stub stub = stub(200, "{\"next\":\"7\",\"later\":{\"x\":[1,{}]},\"time\":\"2026-01-31T10:00:00.123456Z\"}");
		Answer answer = servers("sesame", stub).post("/api/x", parameters("order 1/é&"), TIMEOUT);
		assertThat(answer).isNotNull();
		assertThat(answer.number("next")).isEqualTo(7);
		assertThat(answer.time("time")).isEqualTo(Instant.parse("2026-01-31T10:00:00.123456Z"));
		assertThat(stub.requests).containsExactly("POST /api/x Bearer sesame key=order+1%2F%C3%A9%26");
	}

	@Test
	void aPathOfTheUrlIsKept() throws IOException {
		Stub stub = stub(200, "{}");
		URI url = URI.create(stub.url() + "/leaf/");
		new LeafServers(List.of(url), null, null, ObservationRegistry.NOOP, JSON).post("/api/x", parameters("a"),
				TIMEOUT);
		assertThat(stub.requests).containsExactly("POST /leaf/api/x null key=a");
	}

	@Test
	void requestsAreObserved() throws IOException {
		ObservationRegistry registry = ObservationRegistry.create();
		List<String> observed = new CopyOnWriteArrayList<>();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				observed.add(context.getName() + " " + context.getLowCardinalityKeyValue("method"));
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		Stub stub = stub(200, "{}");
		new LeafServers(List.of(stub.url()), null, null, registry, JSON).post("/api/x", parameters("a"), TIMEOUT);
		assertThat(observed).singleElement().asString().startsWith("http.client.requests").contains("POST");
	}

	@Test
	void anUnknownKeyReturnsNull() throws IOException {
		Stub stub = stub(404, "{\"type\":\"urn:leaf:unknown-key\",\"detail\":\"There is no row\"}");
		assertThat(servers(null, stub).post("/api/x", parameters("a"), TIMEOUT)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "400, true, refuses the request (400)", "401, true, denies access (401)",
			"403, true, denies access (403)", "404, true, does not have the path of the request (404)",
			"409, true, refuses the request (409)", "429, false, cannot serve the request (429)",
			"500, false, cannot serve the request (500)", "503, false, cannot serve the request (503)" })
	void errorsContainTheDetailFromTheServer(int status, boolean refusal, String text) throws IOException {
		Stub stub = stub(status, "{\"type\":\"about:blank\",\"detail\":\"Do \\\"this\\\"\"}");
		assertThatExceptionOfType(LeafServerException.class)
			.isThrownBy(() -> servers(null, stub).post("/api/x", parameters("a"), TIMEOUT))
			.withMessageContainingAll(text, "Do \"this\"", stub.url().toString())
			.satisfies((ex) -> assertThat(ex.isRefusal()).isEqualTo(refusal));
	}

	@ParameterizedTest
	@ValueSource(strings = { "<html>", "", "[]", "7" })
	void anAnswerThatIsNotJsonIsRefused(String body) throws IOException {
		Stub stub = stub(200, body);
		assertThatExceptionOfType(LeafServerException.class)
			.isThrownBy(() -> servers(null, stub).post("/api/x", parameters("a"), TIMEOUT))
			.withMessageContainingAll("is not JSON", "leaf.server.urls");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"next\":\"x\"}", "{\"next\":null}", "{\"next\":\"9223372036854775808\"}",
			"{\"next\":{}}", "{\"next\":\"1.5\"}" })
	void aFieldOfAnotherTypeIsRefused(String body) throws IOException {
		Answer answer = servers(null, stub(200, body)).post("/api/x", parameters("a"), TIMEOUT);
		assertThat(answer).isNotNull();
		assertThatExceptionOfType(LeafServerException.class).isThrownBy(() -> answer.number("next"))
			.withMessageContaining("'next'");
		assertThatExceptionOfType(LeafServerException.class).isThrownBy(() -> answer.time("next"));
		assertThatExceptionOfType(LeafServerException.class).isThrownBy(() -> answer.texts("next"));
		assertThatExceptionOfType(LeafServerException.class).isThrownBy(() -> answer.answers("next"));
	}

	@Test
	void aServerThatFailsIsReplacedAtOnceAndForLaterRequests() throws IOException {
		Stub failing = stub(503, "{}");
		Stub other = stub(200, "{}");
		LeafServers servers = servers(null, failing, other);
		for (int i = 0; i < 3; i++) {
			assertThat(servers.post("/api/x", parameters("a"), TIMEOUT)).isNotNull();
		}
		assertThat(failing.requests).hasSize(1);
		assertThat(other.requests).hasSize(3);
	}

	@Test
	void aServerThatCannotBeReachedIsReplaced() throws IOException {
		Stub other = stub(200, "{}");
		LeafServers servers = new LeafServers(List.of(unused(), other.url()), null, null, ObservationRegistry.NOOP,
				JSON);
		assertThat(servers.post("/api/x", parameters("a"), TIMEOUT)).isNotNull();
	}

	@Test
	void aServerThatDoesNotAnswerIsReplaced() throws IOException {
		// accepts connections, but reads nothing from them
		try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
			Stub other = stub(200, "{}");
			URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort());
			LeafServers servers = new LeafServers(List.of(url, other.url()), null, null, ObservationRegistry.NOOP,
					JSON);
			assertThat(servers.post("/api/x", parameters("a"), Duration.ofSeconds(2))).isNotNull();
		}
	}

	@Test
	void aRefusedRequestIsNotSentToAnotherServer() throws IOException {
		Stub refusing = stub(409, "{}");
		Stub other = stub(200, "{}");
		assertThatExceptionOfType(LeafServerException.class)
			.isThrownBy(() -> servers(null, refusing, other).post("/api/x", parameters("a"), TIMEOUT));
		assertThat(other.requests).isEmpty();
	}

	@Test
	void theLastReasonIsReportedIfAllServersFail() throws IOException {
		Stub failing = stub(503, "{\"detail\":\"no database\"}");
		LeafServers servers = new LeafServers(List.of(unused(), failing.url()), null, null, ObservationRegistry.NOOP,
				JSON);
		assertThatExceptionOfType(LeafServerException.class)
			.isThrownBy(() -> servers.post("/api/x", parameters("a"), TIMEOUT))
			.withMessageContainingAll("No Leaf server", "no database")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
	}

	@Test
	void aRequestThatMustNotBeRepeatedIsSentOnce() throws IOException {
		Stub failing = stub(503, "{}");
		Stub other = stub(200, "{}");
		assertThatExceptionOfType(LeafServerException.class)
			.isThrownBy(() -> servers(null, failing, other).postOnce("/api/x", parameters("a"), TIMEOUT));
		assertThat(failing.requests).hasSize(1);
		assertThat(other.requests).isEmpty();
	}

	@Test
	void aRequestWhoseAnswerIsCutOffIsNotRepeatedByTheJdkClient() throws IOException {
		Stub closing = stub(-1, "");
		assertThatExceptionOfType(LeafServerException.class)
			.isThrownBy(() -> servers(null, closing).post("/api/x", parameters("a"), TIMEOUT));
		assertThat(closing.requests).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sesame\n", "ses\rame", "s\u00e9same", "sesame\u4e2d", "ses\u0000ame", " sesame" })
	void aTokenThatCannotBeSentIsNotShown(String token) throws IOException {
		Stub stub = stub(200, "{}");
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> servers(token, stub).post("/api/x", parameters("a"), TIMEOUT))
			.satisfies((ex) -> assertThat(stackTrace(ex)).doesNotContain(token, "Bearer"));
	}

	private static String stackTrace(Exception ex) {
		StringWriter text = new StringWriter();
		ex.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

	@Test
	void anAnswerThatDoesNotEndIsNotAwaitedForever() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, 100);
			exchange.getResponseBody().write('{');
			exchange.getResponseBody().flush();
		});
		server.start();
		try {
			URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
			LeafServers servers = new LeafServers(List.of(url, stub(200, "{}").url()), null, null,
					ObservationRegistry.NOOP, JSON);
			assertThat(servers.post("/api/x", parameters("a"), Duration.ofSeconds(2))).isNotNull();
		}
		finally {
			server.stop(0);
		}
	}

	private static URI unused() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return URI.create("http://127.0.0.1:" + socket.getLocalPort());
		}
	}

	private static MultiValueMap<String, String> parameters(String key) {
		MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
		parameters.add("key", key);
		return parameters;
	}

	private static LeafServers servers(String token, Stub... stubs) {
		return new LeafServers(List.of(stubs).stream().map(Stub::url).toList(), token, null, ObservationRegistry.NOOP,
				JSON);
	}

	private Stub stub(int status, String body) throws IOException {
		Stub stub = new Stub(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), status,
				body.getBytes(StandardCharsets.UTF_8), new CopyOnWriteArrayList<>());
		stub.server.createContext("/", stub::handle);
		stub.server.start();
		this.stubs.add(stub);
		return stub;
	}

	/**
	 * A server that sends the same answer to every request.
	 *
	 * @param status the status, or -1 to close the connection
	 */
	private record Stub(HttpServer server, int status, byte[] body, List<String> requests) {

		URI url() {
			return URI.create("http://127.0.0.1:" + this.server.getAddress().getPort());
		}

		private void handle(HttpExchange exchange) throws IOException {
			this.requests.add("%s %s %s %s".formatted(exchange.getRequestMethod(), exchange.getRequestURI(),
					exchange.getRequestHeaders().getFirst("Authorization"),
					new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
			if (this.status > 0) {
				exchange.sendResponseHeaders(this.status, (this.body.length > 0) ? this.body.length : -1);
				exchange.getResponseBody().write(this.body);
			}
			exchange.close();
		}

	}

}
