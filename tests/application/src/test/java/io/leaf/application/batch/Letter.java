// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.batch;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Letter {

	@Id
	@LeafId
	private Long id;

	private Long claim;

	protected Letter() {
	}

	Letter(Long claim) {
		this.claim = claim;
	}

	Long getId() {
		return this.id;
	}

	Long getClaim() {
		return this.claim;
	}

}
