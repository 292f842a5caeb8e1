// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import io.leaf.LeafId;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;

// from docs/persistence.md
@MappedSuperclass
abstract class Numbered {

	@Id
	@LeafId
	private Long id;

	// end of docs/persistence.md

	Long getId() {
		return this.id;
	}

}
