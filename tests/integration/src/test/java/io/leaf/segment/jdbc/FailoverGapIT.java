// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentStoreException;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FailoverGapIT {

	private static final String INNODB_LOCK_WAITS = "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";

	@Nested
	class MySql extends FailoverGapContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mysql(), "gap");

		@Override
		HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		String platform() {
			return "mysql";
		}

		@Override
		String lockWaits() {
			return INNODB_LOCK_WAITS;
		}

		@ParameterizedTest
		@ValueSource(strings = { "binlog_format=STATEMENT", "sql_safe_updates=1" })
		void aSessionThatCannotRaiseTheCountersIsRefused(String setting) {
			String url = POOL.getJdbcUrl();
			DriverManagerDataSource sessions = new DriverManagerDataSource(
					url + (url.contains("?") ? '&' : '?') + "sessionVariables=" + setting, POOL.getUsername(),
					POOL.getPassword());
			assertThatExceptionOfType(SegmentStoreException.class)
				.isThrownBy(new JdbcSegmentStore(sessions, new TableName("leaf_alloc"), 1)::checkWritable)
				.withMessageContaining(setting);
		}

	}

	@Nested
	class MariaDb extends FailoverGapContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mariadb(), "gap");

		@Override
		HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		String platform() {
			return "mariadb";
		}

		@Override
		String lockWaits() {
			return INNODB_LOCK_WAITS;
		}

	}

	@Nested
	class PostgreSql extends FailoverGapContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.postgresql(), "gap");

		@Override
		HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		String platform() {
			return "postgresql";
		}

		@Override
		String lockWaits() {
			return "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
		}

	}

}
