// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;

// from docs/persistence.md
@Entity
@IdClass(OrderLineId.class)
class OrderLine {

	@Id
	private Long orderId;

	@Id
	@LeafId("line")
	private Long number;

	// end of docs/persistence.md

	protected OrderLine() {
	}

	OrderLine(Long orderId) {
		this.orderId = orderId;
	}

	Long getOrderId() {
		return this.orderId;
	}

	Long getNumber() {
		return this.number;
	}

}
