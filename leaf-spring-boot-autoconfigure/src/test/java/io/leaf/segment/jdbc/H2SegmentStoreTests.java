// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.util.UUID;

import javax.sql.DataSource;

import io.leaf.segment.SegmentStoreException;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class H2SegmentStoreTests extends JdbcSegmentStoreContract {

	@AutoClose("dispose")
	private static final JdbcConnectionPool POOL = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa",
			"");

	@Override
	protected DataSource dataSource() {
		return POOL;
	}

	@Override
	protected String platform() {
		return "h2";
	}

	@Test
	void severalRowsOfOneKeyAreRefused() {
		new JdbcTemplate(POOL).execute("DROP TABLE IF EXISTS leaf_alloc");
		new JdbcTemplate(POOL).execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128), max_id BIGINT, step INT)");
		put("order", 1, 10);
		put("order", 500, 10);
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> allocate("order", 10))
			.withMessageContainingAll("'order'", "2 rows", "unique");
	}

}
