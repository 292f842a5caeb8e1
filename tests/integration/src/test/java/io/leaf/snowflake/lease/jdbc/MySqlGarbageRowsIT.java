// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.AfterAll;

class MySqlGarbageRowsIT extends GarbageRowsContract {

	private static final HikariDataSource POOL = Pools.of(Databases.mysql(), "leases");

	@AfterAll
	static void close() {
		POOL.close();
	}

	@Override
	protected HikariDataSource dataSource() {
		return POOL;
	}

}
