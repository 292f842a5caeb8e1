// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;

@Entity
@Inheritance(strategy = InheritanceType.SINGLE_TABLE)
abstract class Notice {

	@Id
	@LeafId
	private Long id;

	Long getId() {
		return this.id;
	}

}
