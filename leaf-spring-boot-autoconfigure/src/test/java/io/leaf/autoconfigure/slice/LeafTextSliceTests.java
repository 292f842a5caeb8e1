// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import io.leaf.text.LeafText;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeafText} in the test slices of Spring Boot.
 */
class LeafTextSliceTests {

	private static final String FORMAT = "leaf.keys.order.format=ORD-{number:4}";

	@Nested
	@WebMvcTest(properties = FORMAT)
	@Import(Orders.class)
	class WebMvc {

		@Test
		void readsAndWritesTexts(@Autowired MockMvcTester mvc) {
			assertThat(mvc.get().uri("/orders/ORD-0007")).hasStatusOk().bodyText().isEqualTo("{\"id\":\"ORD-0007\"}");
			assertThat(mvc.get().uri("/orders/7")).hasStatus(400);
		}

	}

	@Nested
	@WebFluxTest(properties = FORMAT)
	@Import(Orders.class)
	class WebFlux {

		@Test
		void readsAndWritesTexts(@Autowired WebTestClient client) {
			client.get()
				.uri("/orders/ORD-0007")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody(String.class)
				.isEqualTo("{\"id\":\"ORD-0007\"}");
			client.get().uri("/orders/7").exchange().expectStatus().isBadRequest();
		}

	}

	@Nested
	@JsonTest(properties = FORMAT)
	class Json {

		@Test
		void readsAndWritesTexts(@Autowired JsonMapper mapper) {
			assertThat(mapper.writeValueAsString(new Order(7))).isEqualTo("{\"id\":\"ORD-0007\"}");
			assertThat(mapper.readValue("{\"id\":\"ORD-0007\"}", Order.class).id()).isEqualTo(7);
		}

	}

	@RestController
	static class Orders {

		@GetMapping("/orders/{id}")
		Order order(@PathVariable @LeafText("order") long id) {
			return new Order(id);
		}

	}

	record Order(@LeafText("order") long id) {
	}

}
