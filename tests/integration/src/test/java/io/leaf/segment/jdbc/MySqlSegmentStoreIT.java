// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.AfterAll;

class MySqlSegmentStoreIT extends MySqlFamilyContract {

	private static final HikariDataSource POOL = Pools.of(Databases.mysql(), "store");

	@AfterAll
	static void close() {
		POOL.close();
	}

	@Override
	protected HikariDataSource dataSource() {
		return POOL;
	}

	@Override
	protected String platform() {
		return "mysql";
	}

	@Override
	protected boolean driverNotices() {
		return false;
	}

	@Override
	protected String latinText() {
		return "VARCHAR(128) CHARACTER SET latin1";
	}

}
