// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.batch;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application that runs a Spring Batch job and exits. The payouts get their
 * IDs from a processor, the letters from {@code @LeafId}. The business tables, the job
 * repository and Leaf share one database.
 */
class BatchApplicationTests {

	@Test
	void aFailedJobContinuesWithNewIds() throws SQLException {
		try (Connection database = DriverManager.getConnection("jdbc:h2:mem:batch", "sa", "")) {
			JdbcClient sql = JdbcClient.create(new SingleConnectionDataSource(database, true));
			sql.sql("CREATE TABLE claim (no BIGINT, amount NUMERIC(10, 2))").update();
			sql.sql("CREATE TABLE payout (id BIGINT, claim BIGINT, amount NUMERIC(10, 2) NOT NULL)").update();
			sql.sql("INSERT INTO claim SELECT x, 100 * x FROM SYSTEM_RANGE(1, 14)").update();
			// makes the second chunk fail
			sql.sql("UPDATE claim SET amount = NULL WHERE no = 7").update();

			assertThat(run()).isNotZero();
			assertThat(ids(sql, "SELECT claim FROM payout ORDER BY claim")).containsExactly(1L, 2L, 3L, 4L);
			assertThat(ids(sql, "SELECT id FROM payout ORDER BY claim")).containsExactly(1L, 2L, 3L, 4L);
			// the IDs of the chunk that was rolled back are not reused
			assertThat(ids(sql, "SELECT max_id FROM leaf_alloc WHERE biz_tag = 'payout'")).containsExactly(9L);

			sql.sql("UPDATE claim SET amount = 7 WHERE no = 7").update();
			assertThat(run()).isZero();
			assertThat(ids(sql, "SELECT COUNT(*) FROM batch_job_instance")).containsExactly(1L);
			assertThat(ids(sql, "SELECT COUNT(*) FROM batch_job_execution")).containsExactly(2L);
			assertThat(ids(sql, "SELECT claim FROM payout ORDER BY claim")).hasSize(14).doesNotHaveDuplicates();
			assertThat(ids(sql, "SELECT id FROM payout ORDER BY claim")).containsExactly(1L, 2L, 3L, 4L, 9L, 10L, 11L,
					12L, 13L, 14L, 15L, 16L, 17L, 18L);
			assertThat(ids(sql, "SELECT id FROM letter ORDER BY claim")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L,
					9L, 10L, 11L, 12L, 13L, 14L);
		}
	}

	private static int run() {
		return SpringApplication.exit(SpringApplication.run(BatchApplication.class,
				"--spring.config.location=classpath:io/leaf/application/batch/", "month=2026-11"));
	}

	private static List<Long> ids(JdbcClient sql, String query) {
		return sql.sql(query).query(Long.class).list();
	}

	@SpringBootApplication
	static class BatchApplication {

	}

}
