// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import jakarta.persistence.Entity;

@Entity
class Supplier extends Numbered {

	private String name;

	protected Supplier() {
	}

	Supplier(String name) {
		this.name = name;
	}

	String getName() {
		return this.name;
	}

}
