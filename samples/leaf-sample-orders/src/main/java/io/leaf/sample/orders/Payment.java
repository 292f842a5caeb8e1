/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.sample.orders;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * A payment for an order. Its ID is a snowflake, since {@code leaf.keys.payment.mode}
 * says so.
 */
@Entity
@Table(name = "payments")
public class Payment {

	@Id
	@LeafId("payment")
	private Long id;

	private Long orderId;

	private long cents;

	protected Payment() {
	}

	public Payment(Long orderId, long cents) {
		this.orderId = orderId;
		this.cents = cents;
	}

	public Long getId() {
		return this.id;
	}

	public Long getOrderId() {
		return this.orderId;
	}

	public long getCents() {
		return this.cents;
	}

}
