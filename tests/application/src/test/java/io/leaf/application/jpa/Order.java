// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

// from docs/getting-started.md
@Entity
@Table(name = "orders")
public class Order {

	@Id
	@LeafId("order")
	private Long id;

	private String item;

	protected Order() {
	}

	public Order(String item) {
		this.item = item;
	}

	public Long getId() {
		return this.id;
	}

	public String getItem() {
		return this.item;
	}

}
// end of docs/getting-started.md
