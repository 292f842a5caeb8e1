// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks whether Leaf's tables exist.
 */
final class Tables {

	private Tables() {
	}

	static boolean ofLeaf(JdbcTemplate jdbcTemplate) {
		return jdbcTemplate.queryForObject(
				"SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) LIKE 'leaf%'", Long.class) > 0;
	}

}
