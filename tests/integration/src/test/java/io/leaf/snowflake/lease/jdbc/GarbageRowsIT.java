// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

class GarbageRowsIT {

	@Nested
	class MySql extends GarbageRowsContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mysql(), "leases");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

	}

	@Nested
	class MariaDb extends GarbageRowsContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mariadb(), "leases");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

	}

	@Nested
	class PostgreSql extends GarbageRowsContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.postgresql(), "leases");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

	}

}
