// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import jakarta.persistence.Entity;

@Entity
class Customer extends Numbered {

	private String name;

	protected Customer() {
	}

	Customer(String name) {
		this.name = name;
	}

	String getName() {
		return this.name;
	}

}
