// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import jakarta.servlet.DispatcherType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.skyscreamer.jsonassert.JSONAssert;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdServlet}.
 */
class IdServletTests {

	private static final int MEMORY = 22 * IdServlet.MAX_COUNT;

	private final StubGenerator generator = new StubGenerator();

	private final BodyMemory memory = new BodyMemory(MEMORY);

	private static final IdFormats FORMATS = new IdFormats(
			Map.of("order", IdFormat.of("ORD-{number:4}"), "quoted", IdFormat.of("\"订单\"{number}")));

	private final IdServlet servlet = new IdServlet(Map.of("segment", this.generator), FORMATS,
			new Tokens(Map.of("secret", "sesame")), new ProblemErrors(), this.memory, false);

	private final IdServlet compatible = new IdServlet(Map.of("segment", this.generator), FORMATS, new Tokens(Map.of()),
			new CompatibleErrors(Clock.fixed(Instant.ofEpochMilli(1_795_320_619_019L), ZoneOffset.UTC)), this.memory,
			true);

	@Test
	void oneIdIsReturnedAsItsDigits() throws IOException {
		MockHttpServletResponse response = get("/segment/get/order");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getContentType()).isEqualTo("text/plain;charset=UTF-8");
		assertThat(response.getContentAsString()).isEqualTo("1");
		assertThat(response.getContentLength()).isEqualTo(1);
		assertThat(this.generator.keys).containsExactly("order");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			/segment/text/order          | */*              | ORD-0001
			/segment/text/order?count=2  | */*              | ORD-0001;ORD-0002
			/segment/text/order          | application/json | "ORD-0001"
			/segment/text/order?count=2  | application/json | ["ORD-0001","ORD-0002"]
			/segment/text/quoted         | */*              | "订单"1
			/segment/text/quoted         | application/json | "\\"订单\\"1"
			/segment/text/other          | */*              | 1
			/segment/text/other?count=2  | application/json | ["1","2"]
			""")
	void textsHaveTheFormatOfTheKey(String path, String accept, String body) throws IOException {
		for (IdServlet each : List.of(this.servlet, this.compatible)) {
			MockHttpServletRequest request = request(path);
			request.addHeader("Accept", accept);
			MockHttpServletResponse response = answer(each, request);
			assertThat(response.getStatus()).isEqualTo(200);
			assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
			assertThat(response.getContentAsByteArray()).hasSize(response.getContentLength())
				.asString(StandardCharsets.UTF_8)
				.isEqualTo(body.replace(';', '\n'));
			this.generator.last.set(0);
		}
	}

	@Test
	void anIdThatDoesNotFitTheFormatIsNotReturned() throws IOException {
		this.generator.last.set(9_998);
		assertThat(get("/segment/text/order").getContentAsString()).isEqualTo("ORD-9999");
		MockHttpServletResponse response = get("/segment/text/order");
		assertThat(response.getStatus()).isEqualTo(503);
		assertThat(response.getContentAsString()).contains("does not fit the format 'ORD-{number:4}'");
		assertThat(get("/segment/get/order").getContentAsString()).isEqualTo("10001");
	}

	@Test
	void noIdsAreTakenForABatchForWhichThereIsNoMemory() throws IOException {
		int other = this.memory.reserve(BodyMemory.SMALL + 1);
		MockHttpServletResponse response = get("/segment/get/order?count=10000");
		assertThat(response.getStatus()).isEqualTo(503);
		assertThat(response.getContentAsString()).contains("occupy the memory");
		assertThat(get("/segment/get/order?count=9000").getStatus()).isEqualTo(200);
		assertThat(get("/segment/get/order").getContentAsString()).isEqualTo("9001");
		this.memory.release(other);
		assertThat(get("/segment/get/order?count=10000").getStatus()).isEqualTo(200);
		assertThat(get("/segment/text/order?count=300").getStatus()).as("does not fit its format").isEqualTo(503);
		assertThat(get("/segment/text/other?count=10000").getStatus()).as("larger than the memory").isEqualTo(200);
		assertThat(get("/segment/get/order?count=10000").getStatus()).as("all reservations are released")
			.isEqualTo(200);
	}

	@Test
	void noResponseMayBeCached() throws IOException {
		assertThat(get("/segment/get/order").getHeader("Cache-Control")).isEqualTo("no-store");
		assertThat(get("/segment/get/unknown").getHeader("Cache-Control")).isEqualTo("no-store");
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "POST", "PUT", "PATCH", "DELETE" })
	void getPostPutPatchAndDeleteReturnAnId(String method) throws IOException {
		MockHttpServletRequest request = request("/segment/get/order");
		request.setMethod(method);
		assertThat(answer(this.servlet, request).getContentAsString()).isEqualTo("1");
	}

	@ParameterizedTest
	@CsvSource({ "/segment/get/order, 200", "/segment/get/order?count=2, 200", "/segment/get/order?count=0, 400",
			"/segment/get/secret, 401", "/snowflake/get/order, 404", "/segment/get, 404", "/segment/text/order, 200",
			"/segment/text/secret, 401" })
	void headTakesNoId(String path, int status) throws IOException {
		MockHttpServletRequest request = request(path);
		request.setMethod("HEAD");
		MockHttpServletResponse response = answer(this.servlet, request);
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(response.getContentType())
			.isEqualTo((status == 200) ? "text/plain;charset=UTF-8" : "application/problem+json");
		assertThat(this.generator.keys).isEmpty();
	}

	@Test
	void headRefusesAKeyThatIsTooLong() throws IOException {
		MockHttpServletRequest request = request("/segment/get/" + "k".repeat(129));
		request.setMethod("HEAD");
		assertThat(answer(this.servlet, request).getStatus()).isEqualTo(400);
	}

	@Test
	void headTakesAnIdInCompatibleMode() throws IOException {
		MockHttpServletRequest request = request("/segment/get/order");
		request.setMethod("HEAD");
		assertThat(answer(this.compatible, request).getStatus()).isEqualTo(200);
		assertThat(this.generator.keys).containsExactly("order");
	}

	@Test
	void optionsAndUnknownMethodsTakeNoId() throws IOException {
		MockHttpServletRequest request = request("/segment/get/order");
		request.setMethod("OPTIONS");
		MockHttpServletResponse options = answer(this.servlet, request);
		assertThat(options.getStatus()).isEqualTo(200);
		request.setMethod("BREW");
		MockHttpServletResponse brew = answer(this.servlet, request);
		assertThat(brew.getStatus()).isEqualTo(405);
		assertThat(brew.getHeader("Allow")).isEqualTo(options.getHeader("Allow"))
			.contains("GET")
			.doesNotContain("BREW");
		assertThat(answer(this.compatible, request).getHeader("Allow")).isEqualTo(options.getHeader("Allow"));
		assertThat(this.generator.keys).isEmpty();
	}

	@Test
	void severalIdsAreReturnedOnePerLine() throws IOException {
		assertThat(get("/segment/get/order?count=3").getContentAsString()).isEqualTo("1\n2\n3");
	}

	@Test
	void aListOfOneIsAListInJson() throws IOException {
		MockHttpServletRequest request = request("/segment/get/order?count=1");
		request.addHeader("Accept", "application/json");
		assertThat(answer(this.servlet, request).getContentAsString()).isEqualTo("[\"1\"]");
	}

	@Test
	void upToTenThousandIdsAreReturnedAtATime() throws IOException {
		assertThat(get("/segment/get/order?count=10000").getContentAsString()).hasLineCount(10_000)
			.startsWith("1\n2\n")
			.endsWith("\n10000");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "10001", "99999999999", "", "x", "1.5", " 1" })
	void anyOtherCountIsABadRequest(String count) throws IOException {
		MockHttpServletResponse response = get("/segment/get/order?count=" + count);
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(response.getContentAsString()).contains("count must be a number from 1 to 10000");
		assertThat(this.generator.keys).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "c%6Fu%6Et=%32, 200", "x=1&count=2&count=x, 200", "x&&=&count=2, 200", "x=%zz&count=2, 400",
			"count=%, 400", "count=+2, 400", "count, 400" })
	void theQueryIsDecoded(String query, int status) throws IOException {
		MockHttpServletRequest request = request("/segment/get/order");
		request.setQueryString(query);
		MockHttpServletResponse response = answer(this.servlet, request);
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(this.generator.last).hasValue((status == 200) ? 2 : 0);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			application/json                                     | ["1","2"]
			application/*+json, application/json                 | ["1","2"]
			text/plain;q=0.5, application/json                   | ["1","2"]
			application/json, text/plain, */*                    | 1;2
			*/*                                                  | 1;2
			text/html, application/json;q=0.9, */*;q=0.8         | ["1","2"]
			text/html                                            | 1;2
			application/json;q=x                                 | 1;2
			json                                                 | 1;2
			""")
	void clientsThatPreferJsonToTextGetJson(String accept, String body) throws IOException {
		MockHttpServletRequest request = request("/segment/get/order?count=2");
		request.addHeader("Accept", accept);
		assertThat(answer(this.servlet, request).getContentAsString().replace('\n', ';')).isEqualTo(body);
	}

	@Test
	void oneIdInJsonIsAString() throws IOException {
		assertThat(oneIdInJson(this.servlet)).isEqualTo("\"1\"");
	}

	private static String oneIdInJson(IdServlet servlet) throws IOException {
		MockHttpServletRequest request = request("/segment/get/order");
		request.addHeader("Accept", "application/json");
		MockHttpServletResponse response = answer(servlet, request);
		assertThat(response.getContentType()).isEqualTo("application/json");
		return response.getContentAsString();
	}

	@ParameterizedTest
	@CsvSource({ "/segment/get/order/, order", "/segment/get/a b, a b", "/segment/get/a.b, a.b",
			"/segment/get/get, get", "/segment/get/text, text", "/segment/text/a b/, a b", "/segment/text/text, text" })
	void keysAreUsedUnchanged(String path, String key) throws IOException {
		MockHttpServletRequest request = request("");
		request.setPathInfo("/api" + path);
		assertThat(answer(this.servlet, request).getStatus()).isEqualTo(200);
		assertThat(this.generator.keys).containsExactly(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/segment", "/segment/get", "/segment/get/", "/segment/get//", "/segment/get/a/b",
			"/segment/get/a//", "/SEGMENT/get/a", "/other/get/a", "/segment/put/a", "//segment/get/a", "/segment/text",
			"/segment/text/", "/segment/text/a/b", "/text/a", "/segment/texta" })
	void otherPathsAreNotFound(String path) throws IOException {
		MockHttpServletRequest request = request("");
		request.setPathInfo("/api" + path);
		MockHttpServletResponse response = answer(this.servlet, request);
		assertThat(response.getStatus()).isEqualTo(404);
		assertThat(this.generator.keys).isEmpty();
	}

	@Test
	void anUnknownKeyIsNotFound() throws Exception {
		MockHttpServletResponse response = get("/segment/get/unknown");
		assertThat(response.getStatus()).isEqualTo(404);
		assertThat(response.getContentType()).isEqualTo("application/problem+json");
		JSONAssert.assertEquals(
				"""
						{"type": "urn:leaf:unknown-key", "title": "Not Found", "status": 404, "detail": "There is no row for key 'unknown'",
						 "instance": "/api/segment/get/unknown"}""",
				response.getContentAsString(), true);
	}

	@Test
	void aDisabledModeIsNotFound() throws IOException {
		MockHttpServletResponse response = get("/snowflake/get/order");
		assertThat(response.getStatus()).isEqualTo(404);
		assertThat(response.getContentAsString()).contains("Set leaf.snowflake.enabled=true");
	}

	@Test
	void theClientIsAskedToRetryWhileNoIdsCanBeIssued() throws IOException {
		MockHttpServletResponse response = get("/segment/get/unavailable");
		assertThat(response.getStatus()).isEqualTo(503);
		assertThat(response.getHeader("Retry-After")).isEqualTo("1");
		assertThat(response.getContentAsString()).contains("No segment of key 'unavailable' within 2s");
	}

	@ParameterizedTest
	@CsvSource({ "Bearer sesame, 200", "Bearer Sesame, 401", "Bearer sesame , 200", "bearer sesame, 200", "Bearer, 401",
			"sesame, 401", "Basic sesame, 401", "Bearer sesame2, 401", ", 401" })
	void aKeyWithATokenRequiresIt(String authorization, int status) throws IOException {
		MockHttpServletRequest request = request("/segment/get/secret");
		if (authorization != null) {
			request.addHeader("Authorization", authorization);
		}
		MockHttpServletResponse response = answer(this.servlet, request);
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(response.getHeader("WWW-Authenticate")).isEqualTo((status == 401) ? "Bearer" : null);
		assertThat(this.generator.keys).hasSize((status == 200) ? 1 : 0);
	}

	@ParameterizedTest
	@CsvSource({ "unknown, -2", "unavailable, -3" })
	void compatibleErrorsEqualThoseOfMeituansLeaf(String key, int code) throws Exception {
		MockHttpServletResponse response = answer(this.compatible, request("/segment/get/" + key));
		assertThat(response.getStatus()).isEqualTo(500);
		assertThat(response.getContentType()).isEqualTo("application/json;charset=UTF-8");
		JSONAssert.assertEquals("""
				{"timestamp": 1795320619019, "status": 500, "error": "Internal Server Error",
				 "exception": "com.sankuai.inf.leaf.server.exception.LeafServerException",
				 "message": "Result{id=%d, status=EXCEPTION}", "path": "/api/segment/get/%s"}""".formatted(code, key),
				response.getContentAsString(), true);
	}

	@Test
	void oneIdInJsonIsANumberInCompatibleMode() throws IOException {
		assertThat(oneIdInJson(this.compatible)).isEqualTo("1");
	}

	@Test
	void anErrorDispatchTakesNoId() throws IOException {
		MockHttpServletRequest request = request("/segment/get/order");
		request.setDispatcherType(DispatcherType.ERROR);
		MockHttpServletResponse response = answer(this.servlet, request);
		assertThat(response.getContentAsString()).isEmpty();
		assertThat(this.generator.keys).isEmpty();
	}

	private MockHttpServletResponse get(String path) throws IOException {
		return answer(this.servlet, request(path));
	}

	private static MockHttpServletRequest request(String path) {
		String[] parts = path.split("\\?", 2);
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api" + parts[0]);
		request.setPathInfo("/api" + parts[0]);
		if (parts.length > 1) {
			request.setQueryString(parts[1]);
		}
		return request;
	}

	private static MockHttpServletResponse answer(IdServlet servlet, MockHttpServletRequest request)
			throws IOException {
		MockHttpServletResponse response = new MockHttpServletResponse();
		servlet.service(request, response);
		return response;
	}

	/**
	 * Counts from 1 across all keys. The key "unknown" has no row, and the key
	 * "unavailable" has no segment.
	 */
	private static final class StubGenerator implements IdGenerator {

		private final AtomicLong last = new AtomicLong();

		private final List<String> keys = new ArrayList<>();

		@Override
		public long nextId(String key) {
			return nextIds(key, 1)[0];
		}

		@Override
		public long[] nextIds(String key, int count) {
			this.keys.add(key);
			switch (key) {
				case "unknown" -> throw new UnknownKeyException(key, "There is no row for key 'unknown'");
				case "unavailable" ->
					throw new SegmentUnavailableException(key, "No segment of key 'unavailable' within 2s", null);
				default -> {
					long first = this.last.getAndAdd(count) + 1;
					return LongStream.range(first, first + count).toArray();
				}
			}
		}

		@Override
		public IdSequence sequence(String key) {
			throw new UnsupportedOperationException();
		}

	}

}
