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

package io.leaf.autoconfigure.slice;

import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a segment is taken in a transaction of its own where the caller is inside a
 * transaction of JDBC's, and the {@code DataSource} is the very same.
 */
@JdbcTest
@Transactional(propagation = Propagation.NOT_SUPPORTED)
class JdbcTransactionTests {

	@Autowired
	private SegmentStore store;

	@Autowired
	private JdbcTemplate jdbcTemplate;

	@Autowired
	private PlatformTransactionManager transactionManager;

	@BeforeEach
	void reset() {
		this.jdbcTemplate.execute("CREATE TABLE IF NOT EXISTS customer (id BIGINT)");
		this.jdbcTemplate.update("DELETE FROM customer");
		this.jdbcTemplate.update("MERGE INTO leaf_alloc (biz_tag, max_id, step) VALUES ('caller', 500, 10)");
	}

	@Test
	void callerRollsBack() {
		Allocation allocation = callerTakes(true);
		assertThat(allocation).isEqualTo(new Allocation(500, 510, 10));
		assertThat(customers()).as("the caller's work").isZero();
		assertThat(maxId()).isEqualTo(510);
	}

	@Test
	void callerCommits() {
		assertThat(callerTakes(false)).isEqualTo(new Allocation(500, 510, 10));
		assertThat(customers()).isEqualTo(1);
		assertThat(maxId()).isEqualTo(510);
	}

	private Allocation callerTakes(boolean rollback) {
		assertThat(this.transactionManager).isInstanceOf(JdbcTransactionManager.class);
		return new TransactionTemplate(this.transactionManager).execute((status) -> {
			this.jdbcTemplate.update("INSERT INTO customer (id) VALUES (1)");
			if (rollback) {
				status.setRollbackOnly();
			}
			return this.store.allocate("caller", 10);
		});
	}

	private Integer customers() {
		return this.jdbcTemplate.queryForObject("SELECT COUNT(*) FROM customer", Integer.class);
	}

	private Integer maxId() {
		return this.jdbcTemplate.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'caller'",
				Integer.class);
	}

}
