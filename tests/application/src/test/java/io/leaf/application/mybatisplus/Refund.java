// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatisplus;

import io.leaf.LeafId;

// from docs/persistence.md
class Refund {

	@LeafId
	private Long id;

	private String customer;

	// end of docs/persistence.md

	Refund() {
	}

	Refund(String customer) {
		this.customer = customer;
	}

	Long getId() {
		return this.id;
	}

	void setId(Long id) {
		this.id = id;
	}

	String getCustomer() {
		return this.customer;
	}

	void setCustomer(String customer) {
		this.customer = customer;
	}

}
