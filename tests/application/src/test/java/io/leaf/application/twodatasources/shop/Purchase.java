// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.twodatasources.shop;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Purchase {

	@Id
	@LeafId
	private Long id;

	private String text;

	protected Purchase() {
	}

	public Purchase(String text) {
		this.text = text;
	}

	public Long getId() {
		return this.id;
	}

}
