// SPDX-License-Identifier: Apache-2.0

package io.leaf.transaction;

import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;

class MariaDbCallerTransactionIT extends CallerTransactionContract {

	private static final String[] DATABASE = Pools.properties(Databases.mariadb(), "transactions");

	@Override
	protected String[] database() {
		return DATABASE;
	}

}
