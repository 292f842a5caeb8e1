// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.batch;

import java.math.BigDecimal;

record Payout(Long id, long claim, BigDecimal amount) {

	Payout withId(long id) {
		return new Payout(id, this.claim, this.amount);
	}

}
