// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the application with the requests that the README shows.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrdersApplicationTests {

	private static final ParameterizedTypeReference<Map<String, Object>> JSON = new ParameterizedTypeReference<>() {
	};

	@LocalServerPort
	private int port;

	private ResponseEntity<Map<String, Object>> get(String path) {
		return client().get().uri(path).retrieve().toEntity(JSON);
	}

	private RestClient client() {
		return RestClient.builder()
			.baseUrl("http://localhost:" + this.port)
			.defaultStatusHandler((status) -> true, (request, response) -> {
			})
			.build();
	}

	private ResponseEntity<Map<String, Object>> post(String item, int quantity) {
		return post("/orders", Map.of("item", item, "quantity", quantity));
	}

	private ResponseEntity<Map<String, Object>> post(String path, Map<String, Object> body) {
		return client().post().uri(path).body(body).retrieve().toEntity(JSON);
	}

	@Test
	void ordersGetAscendingIdsAndCanBeRead() {
		ResponseEntity<Map<String, Object>> tea = post("tea", 2);
		ResponseEntity<Map<String, Object>> milk = post("milk", 1);
		assertThat(tea.getStatusCode()).isEqualTo(HttpStatus.CREATED);
		long teaId = ((Number) tea.getBody().get("id")).longValue();
		assertThat(milk.getBody()).containsEntry("id", (int) teaId + 1);
		assertThat(get("/orders/SO-20000101-000001").getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(get("/orders/" + teaId).getStatusCode()).isEqualTo(HttpStatus.BAD_REQUEST);
	}

	@Test
	void ordersGetNumbersThatBeginAt1EveryDay() {
		Map<String, Object> tea = post("tea", 2).getBody();
		String number = (String) tea.get("number");
		assertThat(number).matches("SO-\\d{8}-\\d{6}");
		ResponseEntity<Map<String, Object>> milk = post("milk", 1);
		String next = (String) milk.getBody().get("number");
		assertThat(next).isGreaterThan(number);
		assertThat(milk.getHeaders().getLocation()).isEqualTo(URI.create("/orders/" + next));
		assertThat(get("/orders/" + number).getBody()).isEqualTo(tea);
		assertThat(get("/actuator/leaf/order-number").getBody()).containsEntry("ordering", "global")
			.containsEntry("format", "SO-{period}-{n:6}");
	}

	@Test
	void paymentsGetSnowflakeIds() {
		ResponseEntity<Map<String, Object>> payment = post("/payments", Map.of("orderId", 1, "cents", 750));
		assertThat(payment.getStatusCode()).isEqualTo(HttpStatus.CREATED);
		String id = (String) payment.getBody().get("id");
		assertThat(get("/payments/" + id).getBody()).isEqualTo(Map.of("id", id, "orderId", 1, "cents", 750));
		Map<String, Object> decoded = get("/actuator/leaf/snowflake/" + id).getBody();
		assertThat(decoded).containsEntry("id", id).containsEntry("workerId", 0);
		assertThat(Instant.parse((String) decoded.get("timestamp"))).isBetween(Instant.now().minusSeconds(60),
				Instant.now().plusSeconds(1));
	}

	@Test
	void theEndpointShowsTheWorkerId() {
		Object snowflake = get("/actuator/leaf").getBody().get("snowflake");
		assertThat(snowflake).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("workerIds", List.of(0))
			.containsEntry("source", "jdbc")
			.containsEntry("lastError", null);
	}

	@Test
	void theHealthHasAComponentForEachMode() {
		assertThat(get("/actuator/health/leaf/segment").getBody()).containsEntry("status", "UP");
		assertThat(get("/actuator/health/leaf/snowflake").getBody()).containsEntry("status", "UP");
	}

	@Test
	void theMetersCountIds() {
		double before = issued();
		post("butter", 1);
		assertThat(issued()).isEqualTo(before + 1);
	}

	private double issued() {
		Object measurements = get("/actuator/metrics/leaf.ids.issued?tag=key:order").getBody().get("measurements");
		return ((Number) ((Map<?, ?>) ((List<?>) measurements).get(0)).get("value")).doubleValue();
	}

	@Test
	void aFetchIsTimedByItsObservation() {
		post("cheese", 1);
		assertThat(get("/actuator/metrics/leaf.segment.fetch?tag=key:order").getStatusCode()).isEqualTo(HttpStatus.OK);
	}

	@Test
	void theEndpointShowsTheKey() {
		post("bread", 1);
		assertThat(get("/actuator/leaf").getBody()).containsEntry("name", "orders").containsKey("segment");
		assertThat(get("/actuator/leaf?prefix=ord&size=1").getBody().get("segment")).asString()
			.startsWith("{total=2, inUse=");
		assertThat(get("/actuator/leaf/order").getBody()).containsEntry("step", 1000).containsEntry("failures", 0);
		assertThat(get("/actuator/leaf/unknown").getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
	}

}
