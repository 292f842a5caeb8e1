// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the server with the profile {@code embedded}: which port serves which paths.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "management.server.port=0", "management.prometheus.metrics.export.enabled=true",
				"leaf.keys.formatted.format=F-{crockford:13}" })
@ActiveProfiles("embedded")
class LeafServerTests {

	private static final ParameterizedTypeReference<Map<String, Object>> JSON = new ParameterizedTypeReference<>() {
	};

	private final RestClient client = RestClient.builder()
		.defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {
		})
		.build();

	@Value("${local.server.port}")
	private int port;

	@Value("${local.management.port}")
	private int managementPort;

	@Test
	void theRequestsInTheReadmeOfMeituansLeafAreAnswered() {
		assertThat(api("/api/segment/get/leaf-segment-test").getBody()).matches("\\d+");
		assertThat(api("/api/snowflake/get/test").getBody()).matches("\\d{19}");
	}

	@Test
	void textsHaveTheFormatOfTheKey() {
		assertThat(api("/api/segment/text/formatted").getBody()).isEqualTo("F-0000000000001");
		assertThat(api("/api/segment/get/formatted").getBody()).isEqualTo("2");
		assertThat(api("/api/snowflake/text/formatted").getBody()).matches("F-1[0-9A-Z]{12}");
		assertThat(management("/actuator/leaf/text/formatted/F-0000000000001").getBody()).contains("\"id\":\"1\"");
	}

	@Test
	void snowflakeIdsAscend() {
		String[] ids = api("/api/snowflake/get/test?count=1000").getBody().split("\n");
		assertThat(ids).hasSize(1000).isSorted().doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/cache", "/db", "/decodeSnowflakeId?snowflakeId=1", "/actuator", "/actuator/leaf",
			"/actuator/health", "/error", "/events", "/index.html" })
	void theApiPortServesNoOtherPaths(String path) {
		assertThat(api(path).getStatusCode().value()).isEqualTo(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a%2Fb", "a%5Cb", "a%00b", "a%C3%28" })
	void aPathThatTomcatRefusesGetsAProblemDetailInsteadOfHtml(String key) {
		ResponseEntity<String> response = api("/api/segment/get/" + key);
		assertThat(response.getStatusCode().value()).isEqualTo(400);
		assertThat(response.getHeaders().getContentType()).hasToString("application/problem+json");
		assertThat(response.getBody()).startsWith("{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,")
			.endsWith("\"instance\":\"/api/segment/get/%s\"}".formatted(key));
	}

	@Test
	void aMethodThatTomcatRefusesGetsAProblemDetailThatNamesTheAllowedMethods() {
		ResponseEntity<String> response = this.client.method(HttpMethod.TRACE)
			.uri("http://localhost:%d/api/segment/get/a".formatted(this.port))
			.retrieve()
			.toEntity(String.class);
		assertThat(response.getStatusCode().value()).isEqualTo(405);
		assertThat(response.getHeaders().getFirst("Allow")).contains("GET").doesNotContain("TRACE");
		assertThat(response.getBody()).contains("\"title\":\"Method Not Allowed\"", "\"status\":405",
				"The method must be one of GET, HEAD, ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/cache", "/db", "/actuator/leaf", "/actuator/health", "/actuator/prometheus" })
	void theManagementPortServesTheOtherPaths(String path) {
		assertThat(management(path).getStatusCode().value()).isEqualTo(200);
	}

	@Test
	void theManagementPortIssuesNoIds() {
		assertThat(management("/api/segment/get/a").getStatusCode().value()).isEqualTo(404);
	}

	@Test
	void theManagementPortAcceptsLocalConnectionsOnly() throws Exception {
		InetAddress other = NetworkInterface.networkInterfaces()
			.flatMap(NetworkInterface::inetAddresses)
			.filter((address) -> !address.isLoopbackAddress())
			.findFirst()
			.orElseGet(() -> loopback(2));
		try (Socket api = new Socket()) {
			api.connect(new InetSocketAddress(other, this.port), 5_000);
		}
		try (Socket management = new Socket()) {
			assertThatIOException()
				.isThrownBy(() -> management.connect(new InetSocketAddress(other, this.managementPort), 5_000));
		}
	}

	private static InetAddress loopback(int last) {
		try {
			return InetAddress.getByAddress(new byte[] { 127, 0, 0, (byte) last });
		}
		catch (java.net.UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void theCachePageShowsKeysAndTheDbPageShowsTheirRows() {
		api("/api/segment/get/shown?count=5");
		assertThat(management("/cache").getBody())
			.contains("<td>shown</td><td>true</td><td>false</td><td>0</td><td>6</td><td>1001</td><td>1000</td>");
		assertThat(management("/db").getBody()).contains("<td>shown</td><td>1001</td><td>1000</td><td>20");
	}

	@Test
	void keysAreEscapedInHtml() {
		api("/api/segment/get/%3Cscript%3E");
		assertThat(management("/cache").getBody()).contains("&lt;script&gt;").doesNotContain("<script>");
		assertThat(management("/db").getBody()).contains("&lt;script&gt;").doesNotContain("<script>");
	}

	@Test
	void idsAreDecoded() {
		String id = api("/api/snowflake/get/test").getBody();
		Map<String, Object> decoded = this.client.get()
			.uri("http://localhost:%d/decodeSnowflakeId?snowflakeId=%s".formatted(this.managementPort, id))
			.retrieve()
			.body(JSON);
		assertThat(decoded).containsOnlyKeys("timestamp", "workerId", "sequenceId");
		assertThat(decoded.get("timestamp")).asString()
			.matches("\\d{13}\\(20\\d\\d-\\d\\d-\\d\\d [\\d:]{8}\\.\\d{3}\\)");
		assertThat(management("/decodeSnowflakeId?snowflakeId=x").getBody()).contains("errorMsg");
		assertThat(management("/decodeSnowflakeId").getStatusCode().value()).isEqualTo(400);
	}

	@Test
	void requestsAreMeasuredOnceByThePatternOfTheirPath() {
		for (int requests = 1; requests <= 3; requests++) {
			this.client.head()
				.uri("http://localhost:%d/api/segment/get/measured".formatted(this.port))
				.retrieve()
				.toBodilessEntity();
			// the server measures a request after it has sent the response
			int expected = requests;
			await().untilAsserted(() -> assertThat(measured("HEAD", "/api/segment/get/{key}")).isEqualTo(expected));
		}
		assertThat(management("/actuator/prometheus").getBody()).as("no meter of Spring's filter")
			.doesNotContain("http_server_requests_active");
	}

	private double measured(String method, String pattern) {
		return management("/actuator/prometheus").getBody()
			.lines()
			.filter((line) -> line.startsWith("http_server_requests_seconds_count{")
					&& line.contains("method=\"" + method + "\"") && line.contains("uri=\"" + pattern + "\""))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
			.sum();
	}

	@Test
	@SuppressWarnings("unchecked") // the parser returns untyped values
	void theOpenApiDescriptionNamesAllPaths() {
		Map<String, Object> description = this.client.get()
			.uri("http://localhost:%d/openapi.json".formatted(this.port))
			.retrieve()
			.body(JSON);
		assertThat(description).containsEntry("openapi", "3.1.0");
		Map<String, Object> paths = (Map<String, Object>) description.get("paths");
		assertThat(paths).containsOnlyKeys("/api/segment/get/{key}", "/api/segment/text/{key}",
				"/api/snowflake/get/{key}", "/api/snowflake/text/{key}", "/api/segment/allocate/{key}",
				"/api/segment/allocate", "/api/segment/counter/{key}", "/api/segment/counter",
				"/api/segment/create/{key}", "/api/segment/create", "/api/segment/rows", "/api/segment/give-back",
				"/api/segment/check", "/api/snowflake/lease/open", "/api/snowflake/lease/records",
				"/api/snowflake/lease/record", "/api/snowflake/lease/write", "/api/snowflake/lease/new",
				"/api/snowflake/lease/time", "/openapi.json");
		paths.forEach((path, methods) -> assertThat(api(path.replace("{key}", "a")).getStatusCode().value()).as(path)
			.isEqualTo(((Map<String, Object>) methods).containsKey("get") ? 200 : 405));
	}

	@ParameterizedTest
	@CsvSource({ "allocate, size floor direct until since from to gap raises raised-at timeout", "counter, timeout",
			"create, step from" })
	void theOpenApiDescriptionNamesTheParametersOfRanges(String method, String names) {
		String description = api("/openapi.json").getBody();
		String path = "$.paths['/api/segment/" + method;
		assertThat(parameters(description, path + "/{key}']")).containsExactly("key in path");
		assertThat(parameters(description, path + "']")).containsExactly("key in query");
		String[] expected = Stream.of(names.split(" ")).map((name) -> name + " in query").toArray(String[]::new);
		assertThat(parameters(description, path + "/{key}'].post")).containsExactly(expected);
		assertThat(parameters(description, path + "'].post")).containsExactly(expected);
	}

	private static List<String> parameters(String description, String path) {
		List<String> references = JsonPath.read(description, path + ".parameters[*]['$ref']");
		return references.stream()
			.map((reference) -> reference.replace("#/components/parameters/", "$.components.parameters."))
			.map((parameter) -> JsonPath.read(description, parameter + ".name") + " in "
					+ JsonPath.read(description, parameter + ".in"))
			.toList();
	}

	private ResponseEntity<String> api(String path) {
		return get(this.port, path);
	}

	private ResponseEntity<String> management(String path) {
		return get(this.managementPort, path);
	}

	private ResponseEntity<String> get(int port, String path) {
		return this.client.get().uri(URI.create("http://localhost:" + port + path)).retrieve().toEntity(String.class);
	}

}
