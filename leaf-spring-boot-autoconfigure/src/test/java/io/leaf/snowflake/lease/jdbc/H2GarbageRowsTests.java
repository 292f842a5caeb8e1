// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import java.util.UUID;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AutoClose;

class H2GarbageRowsTests extends GarbageRowsContract {

	@AutoClose("dispose")
	private static final JdbcConnectionPool POOL = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa",
			"");

	@Override
	protected DataSource dataSource() {
		return POOL;
	}

}
