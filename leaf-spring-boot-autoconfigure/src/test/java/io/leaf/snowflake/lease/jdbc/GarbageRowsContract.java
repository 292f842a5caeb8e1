// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import javax.sql.DataSource;

import io.leaf.Garbage;
import io.leaf.jdbc.TableName;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The behaviour of {@link JdbcWorkerLeaseStore} on every database with garbage in its
 * rows, in a table that was created manually.
 */
abstract class GarbageRowsContract {

	private static final long NOW = 1_795_000_000_000L;

	private static final int CASES = 200;

	private static final List<String> NUMBERS = List.of("NULL", "-1", "0", "0.5", "-9223372036854775808",
			"9223372036854775806", "9223372036854775807", "9223372036854775808", "1000000000000000000000000000000",
			"253402300799999", "253402300800000", "1023", "1024");

	private static final List<String> TEXTS = List.of("NULL", "''", "' '", "'a'", "'x''; DROP TABLE x; --'", "'名'",
			"'%s%n'");

	private JdbcTemplate jdbc;

	private JdbcWorkerLeaseStore store;

	/**
	 * Returns the database to test on, which this test may change in any way.
	 */
	protected abstract DataSource dataSource();

	@BeforeEach
	void prepare() {
		this.jdbc = new JdbcTemplate(dataSource());
		this.store = new JdbcWorkerLeaseStore(dataSource(), null, new TableName("garbage_worker"), "orders");
	}

	@AfterEach
	void drop() {
		this.jdbc.execute("DROP TABLE IF EXISTS garbage_worker");
	}

	private void createTable(String number, String key) {
		drop();
		String times = "horizon %1$s, since %1$s, reported %1$s, stored_at %1$s".formatted(number);
		this.jdbc.execute(
				"CREATE TABLE garbage_worker (name VARCHAR(128), worker_id BIGINT, version %s, owner VARCHAR(64), host VARCHAR(300), layout VARCHAR(100), %s%s)"
					.formatted(number, times, key));
	}

	private void open(String number) {
		createTable(number, ", PRIMARY KEY (name, worker_id)");
		this.store.open(SnowflakeLayout.LEAF);
	}

	private static Map<String, String> valid() {
		Map<String, String> row = new LinkedHashMap<>();
		row.put("version", "7");
		row.put("owner", "'a'");
		row.put("horizon", Long.toString(NOW));
		row.put("host", "'10.0.0.1:8080'");
		row.put("since", Long.toString(NOW));
		row.put("reported", Long.toString(NOW));
		row.put("stored_at", Long.toString(NOW));
		return row;
	}

	private void insert(long workerId, Map<String, String> row) {
		this.jdbc.execute("INSERT INTO garbage_worker (name, worker_id, %s) VALUES ('orders', %d, %s)"
			.formatted(String.join(", ", row.keySet()), workerId, String.join(", ", row.values())));
	}

	private static Lease held(String owner) {
		return TestLeases.lease(owner, NOW + 10, "10.0.0.1:8080", NOW, NOW);
	}

	@Test
	void aLeaseRecordHasTheContentOfItsRowOrIsBlocked() {
		open("DECIMAL(38, 4)");
		Garbage garbage = new Garbage("Rows");
		int blocked = 0;
		for (int i = 0; i < CASES; i++) {
			Map<String, String> row = valid();
			List<String> columns = new ArrayList<>(row.keySet());
			for (int change = garbage.random().nextInt(3); change >= 0; change--) {
				String column = columns.get(garbage.random().nextInt(columns.size()));
				List<String> values = row.get(column).startsWith("'") ? TEXTS : NUMBERS;
				row.put(column, values.get(garbage.random().nextInt(values.size())));
			}
			this.jdbc.update("DELETE FROM garbage_worker WHERE worker_id >= 0");
			insert(0, row);
			LeaseRecord record = this.store.read(0);
			assertThat(record).as("%s", row).isNotNull();
			assertThat(this.store.readAll()).extracting(LeaseRecord::lease, LeaseRecord::blockedBy)
				.containsExactly(tuple(record.lease(), record.blockedBy()));
			assertThat(this.store.newWorkerId(Set.of())).hasValue(1);
			if (record.blockedBy() != null) {
				assertThat(record.blockedBy()).startsWith("its row cannot be used: ").hasSizeLessThan(1000);
				blocked++;
			}
			else {
				assertThat(row.values()).doesNotContain("NULL", "0.5");
				assertThat(row).containsEntry("horizon", Long.toString(record.lease().horizon()))
					.containsEntry("version", Long.toString(record.version()));
				assertThat(record.lease().horizon()).as("%s", row).isBetween(0L, Lease.MAX_TIME);
				assertThat(this.store.write(0, record.version(), held("b"))).isTrue();
				assertThat(this.store.read(0).lease()).isEqualTo(held("b"));
			}
		}
		assertThat(blocked).isBetween(CASES / 4, CASES - 1);
	}

	@Test
	void textInPlaceOfANumberBlocksOnlyThatRow() {
		createTable("VARCHAR(400)", "");
		insertLayout();
		this.store.open(SnowflakeLayout.LEAF);
		Garbage garbage = new Garbage("Texts in rows");
		for (int i = 0; i < 100; i++) {
			Map<String, String> row = valid();
			for (String column : List.of("version", "horizon", "since", "reported", "stored_at")) {
				String text = (garbage.random().nextInt(5) == 0) ? garbage.number() : "7";
				row.put(column, "'" + ((i > 0) ? text : "soon".repeat(100)) + "'");
			}
			insert(i, row);
		}
		Map<String, String> row = valid();
		row.replaceAll((column, value) -> value.startsWith("'") ? value : "'" + value + "'");
		insert(100, row);
		List<LeaseRecord> records = this.store.readAll();
		assertThat(records).hasSize(101);
		assertThat(records.get(0).blockedBy()).contains("horizon is 'soonsoon", "not a whole number")
			.hasSizeLessThan(1000);
		assertThat(records.get(100).blockedBy()).isNull();
		assertThat(records.get(100).lease().horizon()).isEqualTo(NOW);
		assertThat(this.store.newWorkerId(Set.of())).hasValue(101);
	}

	@Test
	void aRowWithTheLargestVersionIsBlocked() {
		open("BIGINT");
		Map<String, String> row = valid();
		row.put("version", Long.toString(Long.MAX_VALUE));
		insert(0, row);
		assertThat(this.store.read(0).blockedBy()).contains("version is 9223372036854775807");
	}

	@Test
	void newWorkerId_neverHasARow() {
		open("BIGINT");
		Garbage garbage = new Garbage("Worker IDs");
		for (int i = 0; i < 50; i++) {
			this.jdbc.update("DELETE FROM garbage_worker WHERE worker_id >= 0");
			int count = garbage.random().nextInt(40);
			for (long id : garbage.random().longs(count, 0, 30).distinct().toArray()) {
				insert(id, valid());
			}
			insert(Long.MAX_VALUE - i, valid());
			long free = this.store.newWorkerId(Set.of()).orElseThrow();
			assertThat(this.store.read(free)).isNull();
			assertThat(this.store.write(free, WorkerLeaseStore.ABSENT, held("b"))).isTrue();
			assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).isSorted().doesNotHaveDuplicates();
		}
	}

	@Test
	void newWorkerId_ignoresRowsBeyondTheLayout() {
		createTable("BIGINT", ", PRIMARY KEY (name, worker_id)");
		this.store.open(new SnowflakeLayout(41, 1, 12, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch()));
		insert(0, valid());
		insert(2, valid());
		insert(Long.MAX_VALUE, valid());
		assertThat(this.store.newWorkerId(Set.of())).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "garbage", "41+10+12 bits", "41+10+12 bits, MILLISECONDS since 2010-11-04T01:42:54.658Z",
					" 41+10+12 bits, MILLISECONDS since 2010-11-04T01:42:54.657Z", "%s%n{}'\"", "名" })
	void anInvalidLayoutIsReportedWithAdvice(String layout) {
		open("BIGINT");
		this.jdbc.update("UPDATE garbage_worker SET layout = ?", layout);
		assertRefused("garbage_worker records ", "'orders'", "worker_id -1", "write that layout into");
		this.jdbc.update("UPDATE garbage_worker SET layout = ?", SnowflakeLayout.LEAF.toString());
		this.store.open(SnowflakeLayout.LEAF);
	}

	private void assertRefused(String... message) {
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> this.store.open(SnowflakeLayout.LEAF))
			.withMessageContainingAll(message)
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void aTableWithoutItsPrimaryKeyIsRefusedAtTheFirstStart() {
		createTable("BIGINT", "");
		for (int i = 0; i < 2; i++) {
			assertRefused("garbage_worker", "primary key (name, worker_id)",
					"two processes could get the same worker ID", "schema-*.sql");
		}
		open("BIGINT");
	}

	@Test
	void aWorkerIdWithTwoRowsCannotBeClaimed() {
		createTable("BIGINT", "");
		insertLayout();
		this.store.open(SnowflakeLayout.LEAF);
		for (long workerId : new long[] { 0, 0, 1, 3, 3, 3 }) {
			insert(workerId, valid());
		}
		assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(0L, 1L, 3L);
		for (LeaseRecord record : List.of(this.store.readAll().get(0), this.store.read(0), this.store.read(3))) {
			assertThat(record.blockedBy()).contains("several rows have worker_id", "primary key (name, worker_id)");
		}
		assertThat(this.store.read(1).blockedBy()).isNull();
		assertThat(this.store.newWorkerId(Set.of())).isEqualTo(OptionalLong.of(2));
		assertThat(this.store.write(2, WorkerLeaseStore.ABSENT, held("b"))).isTrue();
		assertThat(this.store.newWorkerId(Set.of())).isEqualTo(OptionalLong.of(4));
	}

	private void insertLayout() {
		this.jdbc.update("INSERT INTO garbage_worker (name, worker_id, layout) VALUES ('orders', -1, ?)",
				SnowflakeLayout.LEAF.toString());
	}

	@Test
	void rowsWithoutANameOrANumberAreIgnored() {
		createTable("BIGINT", "");
		insertLayout();
		this.jdbc.execute("INSERT INTO garbage_worker (name, worker_id) VALUES (NULL, 0)");
		this.jdbc.execute("INSERT INTO garbage_worker (name, worker_id) VALUES ('orders', NULL)");
		this.store.open(SnowflakeLayout.LEAF);
		assertThat(this.store.readAll()).isEmpty();
		assertThat(this.store.newWorkerId(Set.of())).hasValue(0);
	}

}
