// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.net.URI;

import io.leaf.SegmentUnavailableException;
import io.leaf.sample.orders.OrderController.NewOrder;
import io.leaf.sample.orders.PaymentController.NewPayment;
import io.leaf.sample.orders.PaymentController.PaymentView;
import io.leaf.test.TestIdGenerator;
import io.leaf.test.autoconfigure.AutoConfigureTestIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of the application with predictable IDs and without Leaf's tables.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:test-ids")
@AutoConfigureTestIdGenerator
@Transactional
class OrdersTestIdTests {

	@Autowired
	private TestIdGenerator ids;

	@Autowired
	private OrderController orders;

	@Autowired
	private PaymentController payments;

	@Autowired
	private OrderRepository repository;

	@Test
	void theLocationOfAnOrderHasItsNumber() {
		assertThat(this.orders.create(new NewOrder("tea", 2)).getHeaders().getLocation())
			.isEqualTo(URI.create("/orders/SO-20000101-000001"));
		assertThat(this.orders.create(new NewOrder("milk", 1)).getHeaders().getLocation())
			.isEqualTo(URI.create("/orders/SO-20000101-000002"));
		assertThat(this.ids.issued("order")).containsExactly(1, 2);
	}

	@Test
	void aLongIdKeepsAllItsDigits() {
		this.ids.willIssue("payment", 2124130679133306956L);
		assertThat(this.payments.create(new NewPayment(1, 750)).getBody())
			.isEqualTo(new PaymentView("2124130679133306956", 1, 750));
	}

	@Test
	void nothingIsSavedWithoutAnId() {
		this.ids.willFail("order");
		assertThatException().isThrownBy(() -> this.orders.create(new NewOrder("tea", 2)))
			.isInstanceOf(SegmentUnavailableException.class);
		assertThat(this.repository.count()).isZero();
	}

	@Test
	void endpointAndHealthAreAbsentWithoutLeaf(@LocalServerPort int port) {
		assertThat(status(port, "/actuator/leaf")).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(status(port, "/actuator/health/leaf")).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(status(port, "/actuator/health")).isEqualTo(HttpStatus.OK);
	}

	private static HttpStatusCode status(int port, String path) {
		return RestClient.create("http://localhost:" + port)
			.get()
			.uri(path)
			.exchange((request, response) -> response.getStatusCode());
	}

}
