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
	 * The ID is a string, because JavaScript would round a number as large as a snowflake
	 * ID.
	 */
	record PaymentView(String id, long orderId, long cents) {

		static PaymentView of(Payment payment) {
			return new PaymentView(payment.getId().toString(), payment.getOrderId(), payment.getCents());
		}

	}

}
