// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

import javax.sql.DataSource;

import io.leaf.jdbc.TableName;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;

class H2WorkerLeaseStoreTests extends JdbcWorkerLeaseStoreContract {

	private static final String URL = "jdbc:h2:mem:" + UUID.randomUUID();

	@AutoClose("dispose")
	private static final JdbcConnectionPool POOL = JdbcConnectionPool.create(URL, "sa", "");

	private static final TableName TABLE = new TableName(JdbcWorkerLeaseStore.DEFAULT_TABLE);

	@Override
	protected DataSource dataSource() {
		return POOL;
	}

	@Override
	protected String platform() {
		return "h2";
	}

	@ParameterizedTest
	@ValueSource(strings = { "MySQL", "MariaDB", "PostgreSQL", "Oracle", "MSSQLServer", "LEGACY" })
	void theClockIsRightInOtherModesOfH2(String mode) {
		DataSource dataSource = new DriverManagerDataSource("jdbc:h2:mem:;MODE=" + mode, "sa", "");
		assertThat(
				new JdbcTemplate(dataSource).queryForObject("SELECT " + JdbcWorkerLeaseStore.clockOf("H2"), Long.class))
			.isCloseTo(System.currentTimeMillis(), within(60_000L));
	}

	@Test
	void anUnknownDatabaseIsReportedWithTheSupportedOnes() throws SQLException {
		Connection connection = mock(Connection.class, RETURNS_DEEP_STUBS);
		given(connection.getMetaData().getDatabaseProductName()).willReturn("Teradata");
		JdbcWorkerLeaseStore store = new JdbcWorkerLeaseStore(new SingleConnectionDataSource(connection, true), null,
				TABLE, "orders");
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.open(SnowflakeLayout.LEAF))
			.withMessageContainingAll("leaf_worker", "Teradata", "MySQL, MariaDB, PostgreSQL and H2",
					"leaf.snowflake.worker.source")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void wrongCredentialsAreReportedButNotShown() {
		DataSource dataSource = new DriverManagerDataSource(URL, "sa", "secret");
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> new JdbcWorkerLeaseStore(dataSource, null, TABLE, "orders").open(SnowflakeLayout.LEAF))
			.withMessageContainingAll("rejects the credentials", "spring.datasource.username",
					"leaf.segment.datasource.username")
			.withMessageNotContaining("secret")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void anUnavailableDatabaseIsReportedAndIsNotARefusal() {
		DataSource dataSource = new DriverManagerDataSource("jdbc:h2:tcp://127.0.0.1:1/nowhere", "sa", "");
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> new JdbcWorkerLeaseStore(dataSource, null, TABLE, "orders").open(SnowflakeLayout.LEAF))
			.withMessageContainingAll("Cannot reach the database of table leaf_worker", "spring.datasource.url",
					"leaf.segment.datasource.url")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
	}

	@Test
	void aStoreMustBeOpenedFirst() {
		JdbcWorkerLeaseStore store = new JdbcWorkerLeaseStore(POOL, null, TABLE, "orders");
		assertThatIllegalStateException().isThrownBy(store::readAll).withMessageContaining("open()");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 129 })
	void aNameThatDoesNotFitIsRefused(int length) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new JdbcWorkerLeaseStore(POOL, null, TABLE, "n".repeat(length)))
			.withMessageContainingAll("leaf.name", "1 to 128");
	}

	@Nested
	class GarbageRows extends GarbageRowsContract {

		@Override
		protected DataSource dataSource() {
			return POOL;
		}

	}

}
