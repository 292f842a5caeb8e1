// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;

import javax.sql.DataSource;

import io.leaf.jdbc.TableName;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.SharedWorkerLeaseStoreContract;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * The contract of {@link JdbcWorkerLeaseStore} on every database.
 */
public abstract class JdbcWorkerLeaseStoreContract extends SharedWorkerLeaseStoreContract {

	private static final TableName TABLE = new TableName(JdbcWorkerLeaseStore.DEFAULT_TABLE);

	private static final String NAME = "orders";

	private JdbcTemplate jdbc;

	/**
	 * Returns the database to test on, which this test may change in any way: a pool of
	 * ten connections.
	 */
	protected abstract DataSource dataSource();

	/**
	 * Returns Spring Boot's name for the database.
	 */
	protected abstract String platform();

	@Override
	protected WorkerLeaseStore createStore() {
		this.jdbc = new JdbcTemplate(dataSource());
		this.jdbc.execute("DROP TABLE IF EXISTS leaf_worker");
		runScript();
		return store(NAME);
	}

	private void runScript() {
		new ResourceDatabasePopulator(new ClassPathResource("schema-" + platform() + ".sql", JdbcSegmentStore.class))
			.execute(dataSource());
	}

	private JdbcWorkerLeaseStore store(String name) {
		return new JdbcWorkerLeaseStore(dataSource(), null, TABLE, name);
	}

	private JdbcWorkerLeaseStore opened(String name) {
		JdbcWorkerLeaseStore store = store(name);
		store.open(LAYOUT);
		return store;
	}

	@Override
	protected WorkerLeaseStore restart() {
		return store(NAME);
	}

	@Override
	protected WorkerLeaseStore createStoreOfAnotherProcess(int number) {
		return store(NAME);
	}

	@Override
	protected WorkerLeaseStore createStoreOfAnEmptyApplication() {
		return store("empty");
	}

	private LeaseRecord read(long workerId) {
		LeaseRecord record = this.store.read(workerId);
		assertThat(record).isNotNull();
		return record;
	}

	@Test
	void source_isJdbc() {
		assertThat(this.store.source()).isEqualTo("jdbc");
	}

	@Test
	void theScriptMayRunAgain() {
		long workerId = create(held("a", NOW + 10));
		runScript();
		assertThat(this.store.read(workerId)).isNotNull();
	}

	@Test
	void theLayoutIsRecordedInARowThatIsNotALeaseRecord() {
		assertThat(this.jdbc.queryForList("SELECT worker_id, layout FROM leaf_worker")).singleElement()
			.satisfies((row) -> assertThat(row.values()).containsExactly(-1L, LAYOUT.toString()));
		assertThat(this.store.readAll()).isEmpty();
		assertThat(this.store.read(-1)).isNull();
		assertThat(this.store.newWorkerId(Set.of())).hasValue(0);
		assertThat(this.store.write(-1, WorkerLeaseStore.ABSENT, held("a", NOW))).isFalse();
	}

	@Test
	void anotherLayoutIsReportedWithAdvice() {
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> store(NAME).open(SnowflakeLayout.BAIDU))
			.withMessageContainingAll(LAYOUT.toString(), SnowflakeLayout.BAIDU.toString(), "leaf_worker", "leaf.name",
					"'orders'", "Set leaf.snowflake.layout");
	}

	@Test
	void aRowWithoutALayoutIsReportedWithAdvice() {
		this.jdbc.update("UPDATE leaf_worker SET layout = NULL");
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store(NAME).open(LAYOUT))
			.withMessageContaining("records none");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aWriteThatIsSentTwiceIsConfirmedByAWriteAndNotByReading(boolean created) {
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		long before = WorkerLeaseStore.ABSENT;
		if (!created) {
			create(held("a", NOW));
			before = read(workerId).version();
		}
		Lease lease = held("b", NOW + 10);
		assertThat(this.store.write(workerId, before, lease)).isTrue();
		this.jdbc.update("UPDATE leaf_worker SET stored_at = 1 WHERE worker_id = ?", workerId);
		assertThat(this.store.write(workerId, before, lease)).isTrue();
		assertThat(read(workerId).lease()).isEqualTo(lease);
		assertThat(read(workerId).storedAt()).isGreaterThan(1);
	}

	@Test
	void newWorkerId_isTheSmallestThatIsFree() {
		for (int i = 0; i < 5; i++) {
			assertThat(create(held("a", NOW + 10))).isEqualTo(i);
		}
		this.jdbc.update("DELETE FROM leaf_worker WHERE worker_id IN (1, 3)");
		assertThat(this.store.newWorkerId(Set.of())).hasValue(1);
	}

	@Test
	void newWorkerId_isARandomFreeOneAfterAConflict() {
		JdbcWorkerLeaseStore other = opened(NAME);
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		assertThat(other.newWorkerId(Set.of())).hasValue(workerId);
		create(held("a", NOW + 10));
		assertThat(other.write(workerId, WorkerLeaseStore.ABSENT, held("b", NOW + 10))).isFalse();
		Set<Long> offered = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			offered.add(other.newWorkerId(Set.of()).orElseThrow());
		}
		assertThat(offered).doesNotContain(workerId).hasSizeGreaterThan(50);
	}

	@Test
	void aLeaseRecordThatWasDeletedAndIsCreatedAgainHasAnotherVersion() {
		long workerId = create(held("a", NOW + 10));
		long version = read(workerId).version();
		this.jdbc.update("DELETE FROM leaf_worker WHERE worker_id = ?", workerId);
		assertThat(this.store.write(workerId, WorkerLeaseStore.ABSENT, heldLater("b"))).isTrue();
		assertThat(this.store.write(workerId, version, held("a", NOW + 20))).isFalse();
	}

	private static Lease heldLater(String owner) {
		return TestLeases.lease(owner, NOW + 4000, "10.0.0.2:8080", NOW + 3000, NOW + 3000);
	}

	@Test
	void twoApplicationsUseTheSameWorkerIdsInOneTable() {
		JdbcWorkerLeaseStore customers = opened("customers");
		assertThat(create(held("a", NOW + 10))).isZero();
		assertThat(customers.newWorkerId(Set.of())).hasValue(0);
		assertThat(customers.write(0, WorkerLeaseStore.ABSENT, held("b", NOW + 20))).isTrue();
		assertThat(customers.write(0, customers.read(0).version(), held("b", NOW + 30))).isTrue();
		assertThat(read(0).lease()).isEqualTo(held("a", NOW + 10));
		assertThat(customers.readAll()).singleElement()
			.satisfies((record) -> assertThat(record.lease()).isEqualTo(held("b", NOW + 30)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Orders", "ORDERS", "örders", "order", "orders2", "orders%", "'orders'" })
	void namesAreComparedExactly(String name) {
		create(held("a", NOW + 10));
		JdbcWorkerLeaseStore another = store(name);
		another.open(SnowflakeLayout.JS_SAFE);
		assertThat(another.readAll()).isEmpty();
		assertThat(another.newWorkerId(Set.of())).hasValue(0);
		assertThat(another.write(0, WorkerLeaseStore.ABSENT, held("b", NOW + 20))).isTrue();
		assertThat(read(0).lease().owner()).isEqualTo("a");
	}

	@Test
	void longValuesFit() {
		JdbcWorkerLeaseStore store = opened("名".repeat(128));
		String host = "h".repeat(253) + ":65535";
		String owner = "o".repeat(64);
		Lease lease = TestLeases.lease(owner, NOW, host, NOW, NOW);
		assertThat(store.write(0, WorkerLeaseStore.ABSENT, lease)).isTrue();
		assertThat(store.readAll()).extracting(LeaseRecord::lease).containsExactly(lease);
	}

	@ParameterizedTest
	@ValueSource(strings = { "+00:00", "+13:00", "-11:00", "+05:30" })
	void timesDependOnNoTimeZone(String zone) {
		DataSource dataSource = new DelegatingDataSource(dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				try (Statement statement = connection.createStatement()) {
					statement.execute("%s '%s'"
						.formatted(platform().matches("mysql|mariadb") ? "SET time_zone =" : "SET TIME ZONE", zone));
				}
				return connection;
			}

		};
		TimeZone before = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
		try {
			JdbcWorkerLeaseStore store = new JdbcWorkerLeaseStore(dataSource, null, TABLE, NAME);
			store.open(LAYOUT);
			long now = store.currentTime().orElseThrow();
			// the clock of a server on another host may differ, but by less than a time
			// zone
			assertThat(now).isCloseTo(System.currentTimeMillis(), within(Duration.ofMinutes(14).toMillis()));
			long workerId = create(held("a", NOW + 10));
			assertThat(store.read(workerId)).satisfies((record) -> {
				assertThat(record.storedAt()).isCloseTo(now, within(Duration.ofMinutes(1).toMillis()));
			});
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	@ParameterizedTest
	@CsvSource({ "version, -1", "version, 9223372036854775807", "horizon, -9223372036854775808",
			"horizon, 9223372036854775807", "since, -5", "reported, 300000000000000",
			"stored_at, -9223372036854775808" })
	void anInvalidRowIsReadButCannotBeClaimed(String column, long value) {
		create(held("a", NOW + 10));
		create(held("b", NOW + 10));
		this.jdbc.update("UPDATE leaf_worker SET %s = ? WHERE worker_id = 0".formatted(column), value);
		assertThat(read(0).blockedBy()).contains("%s is %d".formatted(column, value));
		assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(0L, 1L);
		assertThat(read(1).blockedBy()).isNull();
		assertThat(this.store.newWorkerId(Set.of())).hasValue(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "version", "owner", "horizon", "host", "since", "reported", "stored_at" })
	void aRowWithANullColumnIsReadButCannotBeClaimed(String column) {
		this.jdbc.execute("DROP TABLE leaf_worker");
		this.jdbc.execute("CREATE TABLE leaf_worker (name VARCHAR(128), worker_id BIGINT, version BIGINT, "
				+ "owner VARCHAR(64), horizon BIGINT, host VARCHAR(300), since BIGINT, reported BIGINT, "
				+ "stored_at BIGINT, layout VARCHAR(100), PRIMARY KEY (name, worker_id))");
		this.store.open(LAYOUT);
		create(held("a", NOW + 10));
		this.jdbc.update("UPDATE leaf_worker SET %s = NULL WHERE worker_id = 0".formatted(column));
		assertThat(this.store.readAll()).singleElement().satisfies((record) -> {
			assertThat(record.blockedBy()).contains(column + " is NULL");
			assertThat(record.lease().isReleased()).isFalse();
		});
	}

	@Test
	void aWorkerIdBeyondTheLayoutIsReadButCannotBeClaimed() {
		create(held("a", NOW + 10));
		this.jdbc.update("UPDATE leaf_worker SET worker_id = 1024 WHERE worker_id = 0");
		assertThat(this.store.readAll()).singleElement()
			.satisfies((record) -> assertThat(record.blockedBy())
				.contains("worker_id is 1024, but must be from 0 to 1023"));
		assertThat(this.store.newWorkerId(Set.of())).hasValue(0);
	}

	@Test
	void aWriteInsideACallersTransactionIsIndependentOfIt() {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource()));
		transaction.executeWithoutResult((status) -> {
			this.jdbc.update("UPDATE leaf_worker SET host = 'caller' WHERE name = 'orders' AND worker_id = -1");
			long workerId = create(held("a", NOW + 10));
			assertThat(this.store.write(workerId, read(workerId).version(), held("a", NOW + 20))).isTrue();
			status.setRollbackOnly();
		});
		assertThat(read(0).lease()).isEqualTo(held("a", NOW + 20));
		assertThat(this.jdbc.queryForObject("SELECT host FROM leaf_worker WHERE worker_id = -1", String.class))
			.isEmpty();
	}

	@Test
	void aReadInsideACallersTransactionSeesLaterCommitsOfOthers() {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource()));
		JdbcWorkerLeaseStore other = opened(NAME);
		transaction.executeWithoutResult((status) -> {
			assertThat(this.store.readAll()).isEmpty();
			assertThat(other.write(0, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
			assertThat(this.store.readAll()).hasSize(1);
		});
	}

	@Test
	void aClaimThatIsNotCommittedIsNotSeenThroughAPoolThatReadsUncommitted() throws SQLException {
		long workerId = create(held("a", NOW + 10));
		try (Connection connection = dataSource().getConnection();
				Connection others = dataSource().getConnection();
				Statement statement = others.createStatement()) {
			int isolation = connection.getTransactionIsolation();
			connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
			JdbcWorkerLeaseStore store = new JdbcWorkerLeaseStore(new SingleConnectionDataSource(connection, true),
					null, TABLE, NAME);
			store.open(LAYOUT);
			others.setAutoCommit(false);
			// the claim of a process that loses its connection before it commits
			statement.executeUpdate("UPDATE leaf_worker SET owner = 'b', version = version + 1 WHERE worker_id = 0");
			assertThat(store.read(workerId).lease()).isEqualTo(held("a", NOW + 10));
			assertThat(store.readAll()).extracting((record) -> record.lease().owner()).containsExactly("a");
			others.rollback();
			others.setAutoCommit(true);
			connection.setTransactionIsolation(isolation);
		}
	}

	@Test
	void aWriteDoesNotWaitLongForALockedRow() {
		long workerId = create(held("a", NOW - 10));
		long version = read(workerId).version();
		TransactionTemplate frozen = new TransactionTemplate(new JdbcTransactionManager(dataSource()));
		frozen.executeWithoutResult((status) -> {
			this.jdbc.update("UPDATE leaf_worker SET version = version + 1 WHERE name = 'orders' AND worker_id = ?",
					workerId);
			long start = System.nanoTime();
			assertThatExceptionOfType(WorkerLeaseStoreException.class)
				.isThrownBy(() -> this.store.write(workerId, version, held("b", NOW + 10)))
				.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
			assertThat(read(workerId).lease().owner()).isEqualTo("a");
			status.setRollbackOnly();
		});
		assertThat(this.store.write(workerId, version, held("b", NOW + 10))).isTrue();
	}

	@Test
	void aMissingTableIsReportedWithAdvice() {
		String missing = "leaf_" + UUID.randomUUID().toString().substring(0, 8);
		JdbcWorkerLeaseStore store = new JdbcWorkerLeaseStore(dataSource(), null, new TableName(missing), NAME);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.open(LAYOUT))
			.withMessageContainingAll("There is no table " + missing, "schema-*.sql", "leaf.segment.initialize-schema")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
		// the store can be opened once the table exists
		this.jdbc.execute("CREATE TABLE %s AS SELECT * FROM leaf_worker".formatted(missing));
		store.open(LAYOUT);
		assertThat(store.readAll()).isEmpty();
		this.jdbc.execute("DROP TABLE " + missing);
	}

	@Test
	void aTableWithOtherColumnsIsReportedWithAdvice() {
		this.jdbc.execute("DROP TABLE IF EXISTS not_leaf");
		this.jdbc.execute("CREATE TABLE not_leaf (name VARCHAR(128), worker_id BIGINT)");
		JdbcWorkerLeaseStore store = new JdbcWorkerLeaseStore(dataSource(), null, new TableName("not_leaf"), NAME);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.open(LAYOUT))
			.withMessageContainingAll("not_leaf is not a Leaf table", "name, worker_id, version",
					"stored_at and layout");
	}

}
