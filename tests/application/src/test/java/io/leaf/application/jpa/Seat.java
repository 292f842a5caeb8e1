// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Version;

// from docs/persistence.md
@Entity
class Seat {

	@EmbeddedId
	private SeatId id;

	// end of docs/persistence.md

	@Version
	private Integer version;

	protected Seat() {
	}

	Seat(SeatId id) {
		this.id = id;
	}

	SeatId getId() {
		return this.id;
	}

}
