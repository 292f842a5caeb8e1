// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatis;

import io.leaf.LeafId;

// from docs/persistence.md
class Payment {

	@LeafId("payment")
	private Long id;

	private String customer;

	// end of docs/persistence.md

	Payment(String customer) {
		this.customer = customer;
	}

	Long getId() {
		return this.id;
	}

	String getCustomer() {
		return this.customer;
	}

}
