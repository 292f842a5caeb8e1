// SPDX-License-Identifier: Apache-2.0

package io.leaf.transaction;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * What a caller writes in its own transaction.
 */
@Entity
@Table(name = "outer_row")
class OuterRow {

	@Id
	private long id;

	OuterRow() {
	}

	OuterRow(long id) {
		this.id = id;
	}

	long getId() {
		return this.id;
	}

}
