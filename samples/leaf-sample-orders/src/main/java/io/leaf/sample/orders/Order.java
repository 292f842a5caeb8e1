// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import io.leaf.LeafId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * An order. Its ID comes from the key {@code order}. The order number, which is shown to
 * users, comes from the key {@code order-number}, which begins at 1 every day.
 */
@Entity
@Table(name = "orders")
public class Order {

	@Id
	@LeafId("order")
	private Long id;

	@LeafId("order-number")
	@Column(unique = true)
	private Long number;

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

	public Long getNumber() {
		return this.number;
	}

	public String getItem() {
		return this.item;
	}

	public int getQuantity() {
		return this.quantity;
	}

}
