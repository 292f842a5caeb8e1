// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.net.URI;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/orders")
class OrderController {

	private final OrderRepository orders;

	OrderController(OrderRepository orders) {
		this.orders = orders;
	}

	@PostMapping
	ResponseEntity<OrderView> create(@RequestBody NewOrder newOrder) {
		Order order = this.orders.save(new Order(newOrder.item(), newOrder.quantity()));
		return ResponseEntity.created(URI.create("/orders/" + order.getId())).body(OrderView.of(order));
	}

	@GetMapping("/{id}")
	ResponseEntity<OrderView> read(@PathVariable long id) {
		return ResponseEntity.of(this.orders.findById(id).map(OrderView::of));
	}

	record NewOrder(String item, int quantity) {

	}

	record OrderView(long id, String item, int quantity) {

		static OrderView of(Order order) {
			return new OrderView(order.getId(), order.getItem(), order.getQuantity());
		}

	}

}
