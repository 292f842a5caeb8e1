// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * An order. Its IDs are those of the key {@code order}.
 */
@Entity
@Table(name = "orders")
public class Order {

	@Id
	@LeafId("order")
	private Long id;

	private String item;

	private int quantity;

	protected Order() {
	}

	public Order(String item, int quantity) {
		this.item = item;
		this.quantity = quantity;
	}

	public Long getId() {
		return this.id;
	}

	public String getItem() {
		return this.item;
	}

	public int getQuantity() {
		return this.quantity;
	}

}
