// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * A payment for an order. Its ID is a snowflake ID, as configured by
 * {@code leaf.keys.payment.mode}.
 */
@Entity
@Table(name = "payments")
public class Payment {

	@Id
	@LeafId("payment")
	private Long id;

	private Long orderId;

	private long cents;

	protected Payment() {
	}

	public Payment(Long orderId, long cents) {
		this.orderId = orderId;
		this.cents = cents;
	}

	public Long getId() {
		return this.id;
	}

	public Long getOrderId() {
		return this.orderId;
	}

	public long getCents() {
		return this.cents;
	}

}
