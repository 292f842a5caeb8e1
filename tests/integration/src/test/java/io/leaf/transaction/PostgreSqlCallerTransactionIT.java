// SPDX-License-Identifier: Apache-2.0

package io.leaf.transaction;

import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;

class PostgreSqlCallerTransactionIT extends CallerTransactionContract {

	private static final String[] DATABASE = Pools.properties(Databases.postgresql(), "transactions");

	@Override
	protected String[] database() {
		return DATABASE;
	}

}
