// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.jdbc.TableName;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import io.leaf.test.server.UncommittedSessions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JdbcWorkerLeaseStoreIT {

	@Nested
	class MySql extends JdbcWorkerLeaseStoreContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mysql(), "leases");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		protected String platform() {
			return "mysql";
		}

		@Nested
		class GarbageRows extends GarbageRowsContract {

			@Override
			protected HikariDataSource dataSource() {
				return POOL;
			}

		}

		@Test
		void aClaimThatASessionDoesNotCommitIsRefused() {
			UncommittedSessions sessions = new UncommittedSessions(POOL);
			JdbcWorkerLeaseStore store = new JdbcWorkerLeaseStore(sessions, null, new TableName("leaf_worker"),
					"uncommitted");
			store.open(SnowflakeLayout.LEAF);
			Lease lease = TestLeases.lease("owner", 1000, "host", 1, 1);
			assertThat(store.write(1, WorkerLeaseStore.ABSENT, lease)).isTrue();
			sessions.stopCommitting();
			assertRefused(() -> store.write(1, lease.version(), lease));
			assertRefused(() -> store.write(2, WorkerLeaseStore.ABSENT, lease));
		}

		private static void assertRefused(ThrowingCallable work) {
			assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(work)
				.withMessageContaining("autocommit=0");
		}

	}

	@Nested
	class MariaDb extends JdbcWorkerLeaseStoreContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.mariadb(), "leases");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		protected String platform() {
			return "mariadb";
		}

		@Nested
		class GarbageRows extends GarbageRowsContract {

			@Override
			protected HikariDataSource dataSource() {
				return POOL;
			}

		}

	}

	@Nested
	class PostgreSql extends JdbcWorkerLeaseStoreContract {

		@AutoClose
		private static final HikariDataSource POOL = Pools.of(Databases.postgresql(), "leases");

		@Override
		protected HikariDataSource dataSource() {
			return POOL;
		}

		@Override
		protected String platform() {
			return "postgresql";
		}

		@Nested
		class GarbageRows extends GarbageRowsContract {

			@Override
			protected HikariDataSource dataSource() {
				return POOL;
			}

		}

	}

}
