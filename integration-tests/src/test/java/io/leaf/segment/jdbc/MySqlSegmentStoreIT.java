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
