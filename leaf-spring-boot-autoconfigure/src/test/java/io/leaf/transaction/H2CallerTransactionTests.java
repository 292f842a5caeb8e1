// SPDX-License-Identifier: Apache-2.0

package io.leaf.transaction;

import java.util.UUID;

class H2CallerTransactionTests extends CallerTransactionContract {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Override
	protected String[] database() {
		return new String[] { "spring.datasource.url=" + this.url, "spring.datasource.username=sa" };
	}

}
