// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Customer {

	@Id
	@LeafId
	private Long id;

	Long getId() {
		return this.id;
	}

}
