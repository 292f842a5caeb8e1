// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.segment.SegmentStoreException;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JdbcSegmentStoreIT {

	@Nested
	class MySql extends MySqlFamilyContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mysql(), "store");

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

	}

	@Nested
	class MariaDb extends MySqlFamilyContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mariadb(), "store");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		protected String platform() {
			return "mariadb";
		}

		@Override
		protected boolean driverNotices() {
			return true;
		}

	}

	@Nested
	class PostgreSql extends JdbcSegmentStoreContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.postgresql(), "store");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		protected String platform() {
			return "postgresql";
		}

		/**
		 * Makes the server answer each update of a row with a message, as it does if it
		 * has given up waiting for a synchronous standby.
		 */
		private void raise(String severity) {
			JdbcTemplate jdbc = new JdbcTemplate(POOL);
			jdbc.execute(
					"CREATE OR REPLACE FUNCTION announce() RETURNS trigger AS $$ BEGIN RAISE %s 'not replicated'; RETURN NEW; END $$ LANGUAGE plpgsql"
						.formatted(severity));
			jdbc.execute(
					"CREATE TRIGGER announce BEFORE UPDATE ON leaf_alloc FOR EACH ROW EXECUTE FUNCTION announce()");
		}

		@Test
		void anAnswerWithAWarningCountsAsLost() {
			put("order", 1, 10);
			raise("WARNING");
			assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> allocate("order", 10))
				.withMessageContaining("not replicated")
				.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
			new JdbcTemplate(POOL).execute("DROP TRIGGER announce ON leaf_alloc");
			assertAllocated(allocate("order", 10), 11, 21, 10);
		}

		@Test
		void anAnswerWithANoticeIsAccepted() {
			put("order", 1, 10);
			raise("NOTICE");
			assertAllocated(allocate("order", 10), 1, 11, 10);
		}

	}

}
