// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity.
 */
@Entity
class Customer {

	@Id
	private long id;

	protected Customer() {
	}

	Customer(long id) {
		this.id = id;
	}

	long getId() {
		return this.id;
	}

}
