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

package io.leaf.snowflake.lease.jdbc;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * How a database tells its time, in milliseconds since 1970-01-01T00:00:00Z: as an SQL
 * expression whose value depends on no time zone. It may stand still within a
 * transaction, since ours have one statement each.
 */
enum DatabaseClock {

	/**
	 * Not UNIX_TIMESTAMP(NOW(3)): that goes by way of the local time, which in autumn is
	 * ambiguous for an hour.
	 */
	MYSQL("MySQL", "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000"),

	MARIADB("MariaDB", MYSQL.now),

	POSTGRESQL("PostgreSQL", "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)"),

	H2("H2", "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)");

	private final String product;

	private final String now;

	DatabaseClock(String product, String now) {
		this.product = product;
		this.now = now;
	}

	/**
	 * Returns the clock of a database.
	 * @param product what the database calls itself, by the name that Spring has for it
	 * @return its clock, or {@code null} if it is not known
	 */
	static @Nullable DatabaseClock of(String product) {
		for (DatabaseClock clock : values()) {
			if (clock.product.equals(product)) {
				return clock;
			}
		}
		return null;
	}

	/**
	 * Returns the databases that have a clock here.
	 * @return their names, for a message
	 */
	static String products() {
		return Arrays.stream(values()).map((clock) -> clock.product).collect(Collectors.joining(", "));
	}

	/**
	 * Returns the expression.
	 * @return SQL whose value is a whole number
	 */
	String now() {
		return this.now;
	}

}
