// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.twodatasources.ledger;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Posting {

	@Id
	@LeafId
	private Long id;

	private String text;

	protected Posting() {
	}

	public Posting(String text) {
		this.text = text;
	}

	public Long getId() {
		return this.id;
	}

}
