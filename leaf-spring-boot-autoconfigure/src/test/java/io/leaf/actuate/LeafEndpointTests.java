// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.leaf.IdGenerator;
import io.leaf.SegmentUnavailableException;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStoreException;
import io.leaf.text.IdFormats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.skyscreamer.jsonassert.JSONAssert;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafEndpoint} over HTTP, in an application that configures its own
 * JSON differently.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.application.name=orders", "management.endpoints.web.exposure.include=leaf",
				"spring.jackson.property-naming-strategy=SNAKE_CASE",
				"spring.jackson.default-property-inclusion=non_null", "leaf.segment.acquire-timeout=5s",
				"leaf.keys.refused.format={masked}", "leaf.keys.refused.secret=1:confidential-secret",
				"leaf.keys.payment.format=P-{crockford:13}" })
class LeafEndpointTests {

	private static final String UNUSED = """
			{"current": null, "next": null, "step": 10, "rowStep": 10, "issued": 0, "fetches": 0, "failures": 0, "waits": 0,
			 "lastFetch": null, "lastError": null}""";

	private final HttpClient client = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@Autowired
	private IdGenerator generator;

	@Autowired
	private IdFormats formats;

	@Autowired
	private InMemorySegmentStore store;

	@Test
	void reportOfAllKeysHasTheExpectedJson() throws Exception {
		String report = get("").body();
		assertThat(report).startsWith(
				"{\"name\":\"orders\",\"formats\":{\"payment\":\"P-{crockford:13}\",\"refused\":\"{masked}\"},\"segment\":{\"total\":")
			.doesNotContain("nextPage");
		JSONAssert.assertEquals("""
				{"name": "orders", "segment": {"keys": {"unused": %s}}}""".formatted(UNUSED), report, false);
	}

	@Test
	void unusedKeyIsReportedWithoutASegment() throws Exception {
		JSONAssert.assertEquals(UNUSED, get("/unused").body(), true);
	}

	@Test
	void usedKeyIsReportedWithItsSegment() throws Exception {
		this.generator.nextId("order");
		String body = get("/order").body();
		assertThat(body).containsPattern("\"lastFetch\":\"20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z\"");
		JSONAssert.assertEquals(
				"""
						{"current": {"from": 0, "to": 1000000, "next": 1, "remaining": 999999}, "next": null, "step": 1000000,
						 "rowStep": 1000000, "issued": 1, "fetches": 1, "failures": 0, "waits": 1, "lastFetch": "?", "lastError": null}""",
				body.replaceFirst("\"lastFetch\":\"[^\"]+\"", "\"lastFetch\":\"?\""), true);
	}

	@Test
	void formatIsReportedWithoutItsSecret() throws Exception {
		for (String path : List.of("", "/refused")) {
			assertThat(get(path).body()).contains("\"format\":\"{masked}\"").doesNotContain("confidential");
		}
	}

	@Test
	void refusalOfTheStoreIsReported() throws Exception {
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.generator.nextId("refused"));
		assertThat(get("/refused").body()).contains("\"current\":null", "\"lastError\":\"refused by this test\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/unknown", "/order/more", "/Order" })
	void unknownKeyIsNotFound(String path) throws Exception {
		assertThat(get(path).statusCode()).isEqualTo(404);
	}

	@Test
	void keyWithSpecialCharactersIsFound() throws Exception {
		assertThat(get("/a%20b%C3%A4").statusCode()).isEqualTo(200);
	}

	@Test
	void keysAreChosenByPrefixOrNameAndInPages() throws Exception {
		assertThat(get("?prefix=un").body()).contains("\"total\":1,", "\"unused\":{").doesNotContain("\"order\":{");
		assertThat(get("?keys=unused,order").body()).contains("\"total\":2,", "\"unused\":{", "\"order\":{");
		assertThat(get("?size=3").body()).contains("\"total\":4,", "\"nextPage\":1,");
		assertThat(get("?size=3&page=1").body()).contains("\"total\":4,").doesNotContain("nextPage");
	}

	@ParameterizedTest
	@ValueSource(strings = { "?page=-1", "?page=x", "?size=0" })
	void anInvalidPageIsABadRequest(String query) throws Exception {
		assertThat(get(query).statusCode()).isEqualTo(400);
	}

	@Test
	void decodesASnowflakeId() throws Exception {
		long id = (1567733700834L - 1288834974657L) << 22 | 39 << 12 | 3448;
		JSONAssert.assertEquals("""
				{"id": "%d", "timestamp": "2019-09-06T01:35:00.834Z", "workerId": 39, "sequence": 3448}"""
			.formatted(id), get("/snowflake/" + id).body(), true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "abc", "-1", "1.5", "9223372036854775808" })
	void anInvalidSnowflakeIdIsABadRequest(String id) throws Exception {
		assertThat(get("/snowflake/" + id).statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@CsvSource({ "payment, P-0000000000042, 130", "unused, 42, 42", "a%20b%C3%A4, 42, 42" })
	void parsesATextOfAKey(String key, String text, String id) throws Exception {
		JSONAssert.assertEquals(
				"""
						{"key": "%s", "text": "%s", "id": "%s"}"""
					.formatted(URLDecoder.decode(key, StandardCharsets.UTF_8), text, id),
				get("/text/" + key + "/" + text).body(), true);
	}

	@Test
	void parsesAMaskedText() throws Exception {
		String text = this.formats.of("refused").format(42);
		HttpResponse<String> response = get("/text/refused/" + text);
		assertThat(response.body()).contains("\"id\":\"42\"").doesNotContain("confidential");
	}

	@ParameterizedTest
	@CsvSource({ "payment, 42, P-{crockford:13}", "refused, 42, {masked}", "unused, x, {number}",
			"payment, P-0000000000042%0A, P-{crockford:13}" })
	void aTextInAnotherFormatIsABadRequest(String key, String text, String format) throws Exception {
		HttpResponse<String> response = get("/text/" + key + "/" + text);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body()).contains("is not the text of an ID", "in the format '" + format + "'")
			.doesNotContain("confidential");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/text/unknown/42", "/other/payment/P-0000000000042", "/text/payment",
			"/text/payment/P-0000000000042/more" })
	void aTextOfAnUnknownKeyIsNotFound(String path) throws Exception {
		assertThat(get(path).statusCode()).isEqualTo(404);
	}

	@Test
	void readingDoesNotAccessTheStore() throws Exception {
		List<String> calls = this.store.calls();
		get("");
		get("/unused");
		get("/unknown");
		get("/text/payment/P-0000000000042");
		get("/text/unknown/42");
		assertThat(this.store.calls()).isEqualTo(calls);
	}

	@Test
	void readingChangesNothing() throws Exception {
		String before = get("/unused").body();
		assertThat(get("/unused").body()).isEqualTo(before);
	}

	private HttpResponse<String> get(String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:%d/actuator/leaf%s".formatted(this.port, path));
		return this.client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	static class Application {

		@Bean
		InMemorySegmentStore store() {
			return new InMemorySegmentStore() {

				@Override
				public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
					if (key.equals("refused")) {
						throw new SegmentStoreException("refused by this test", null, true);
					}
					return super.allocate(key, size, floor, timeout);
				}

			}.put("order", 0, 1_000_000).put("unused", 0, 10).put("refused", 0, 10).put("a bä", 0, 10);
		}

	}

}
