/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
@RequestMapping("/payments")
class PaymentController {

	private final PaymentRepository payments;

	PaymentController(PaymentRepository payments) {
		this.payments = payments;
	}

	@PostMapping
	ResponseEntity<PaymentView> create(@RequestBody NewPayment newPayment) {
		Payment payment = this.payments.save(new Payment(newPayment.orderId(), newPayment.cents()));
		return ResponseEntity.created(URI.create("/payments/" + payment.getId())).body(PaymentView.of(payment));
	}

	@GetMapping("/{id}")
	ResponseEntity<PaymentView> read(@PathVariable long id) {
		return ResponseEntity.of(this.payments.findById(id).map(PaymentView::of));
	}

	record NewPayment(long orderId, long cents) {

	}

	/**
	 * The ID is text: as a number it would be rounded by JavaScript.
	 */
	record PaymentView(String id, long orderId, long cents) {

		static PaymentView of(Payment payment) {
			return new PaymentView(payment.getId().toString(), payment.getOrderId(), payment.getCents());
		}

	}

}
