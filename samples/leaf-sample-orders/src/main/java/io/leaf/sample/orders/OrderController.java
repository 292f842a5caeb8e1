// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.net.URI;

import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import io.leaf.text.LeafText;

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

	private final IdFormat numbers;

	OrderController(OrderRepository orders, IdFormats formats) {
		this.orders = orders;
		this.numbers = formats.of("order-number");
	}

	@PostMapping
	ResponseEntity<OrderView> create(@RequestBody NewOrder newOrder) {
		Order order = this.orders.save(new Order(newOrder.item(), newOrder.quantity()));
		String number = this.numbers.format(order.getNumber());
		return ResponseEntity.created(URI.create("/orders/" + number)).body(OrderView.of(order));
	}

	@GetMapping("/{number}")
	ResponseEntity<OrderView> read(@PathVariable @LeafText("order-number") long number) {
		return ResponseEntity.of(this.orders.findByNumber(number).map(OrderView::of));
	}

	record NewOrder(String item, int quantity) {

	}

	record OrderView(long id, @LeafText("order-number") long number, String item, int quantity) {

		static OrderView of(Order order) {
			return new OrderView(order.getId(), order.getNumber(), order.getItem(), order.getQuantity());
		}

	}

}
