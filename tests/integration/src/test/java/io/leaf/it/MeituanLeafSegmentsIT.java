// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that {@link MeituanLeafSegments} fetches segments at the same time as the
 * original, and of the same length.
 */
class MeituanLeafSegmentsIT {

	/**
	 * Returned if the next segment may be committed, but has not arrived yet.
	 */
	private static final long USED_UP = -3;

	private final HikariDataSource pool = Pools.of(Databases.mysql(), "meituan");

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final MeituanLeafSegments segments = new MeituanLeafSegments(this.pool);

	@BeforeEach
	void createTable() throws Exception {
		this.jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
		this.jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 2000)");
		this.segments.start();
	}

	@AfterEach
	void close() {
		this.segments.close();
		this.pool.close();
	}

	private long maxId() {
		return this.jdbc.queryForObject("SELECT max_id FROM leaf_alloc", Long.class);
	}

	private void draw(long from, long to) {
		for (long id = from; id <= to; id++) {
			long drawn = this.segments.get("order");
			while (drawn == USED_UP) {
				Thread.onSpinWait();
				drawn = this.segments.get("order");
			}
			assertThat(drawn).isEqualTo(id);
		}
	}

	@Test
	void aSegmentIncludesItsLowerBoundAndExcludesItsUpperBound() {
		assertThat(maxId()).isEqualTo(1);
		draw(1, 1);
		assertThat(maxId()).isEqualTo(2001);
	}

	@Test
	void theCallAfterATenthFetchesTheNextSegmentAndTheThirdIsTwiceAsLong() {
		draw(1, 201);
		assertThat(maxId()).isEqualTo(2001);
		draw(202, 202);
		await().until(this::maxId, (maxId) -> maxId == 4001);
		draw(203, 2201);
		assertThat(maxId()).isEqualTo(4001);
		draw(2202, 2202);
		await().until(this::maxId, (maxId) -> maxId == 8001);
		draw(2203, 4001);
	}

	@Test
	void aCallForAnUnknownKeyReturnsACode() {
		assertThat(this.segments.get("payment")).isEqualTo(-2);
	}

}
