// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.lang.reflect.UndeclaredThrowableException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.leaf.HostileKeys;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreContract;
import io.leaf.segment.SegmentStoreException;
import io.leaf.support.IdArguments;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willDoNothing;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * The contract of {@link JdbcSegmentStore} on every database, with every layout of the
 * table.
 */
@ParameterizedClass
@EnumSource(TableLayout.class)
public abstract class JdbcSegmentStoreContract extends SegmentStoreContract {

	@Parameter
	TableLayout layout;

	private JdbcTemplate jdbc;

	private JdbcSegmentStore store;

	/**
	 * Returns the database to test on, which the test may change in any way.
	 */
	protected abstract DataSource dataSource();

	/**
	 * Returns Spring Boot's name for the database.
	 */
	protected abstract String platform();

	/**
	 * Returns the type of a column for Latin text, which on some databases cannot hold
	 * other text.
	 */
	protected String latinText() {
		return "VARCHAR(128)";
	}

	@BeforeEach
	void createTable() {
		this.jdbc = new JdbcTemplate(dataSource());
		this.jdbc.execute("DROP TABLE IF EXISTS leaf_alloc");
		run(this.layout.ddl(platform()));
		this.store = new JdbcSegmentStore(dataSource(), new TableName("leaf_alloc"));
	}

	void run(String script) {
		new ResourceDatabasePopulator(new ByteArrayResource(script.getBytes(StandardCharsets.UTF_8)))
			.execute(dataSource());
	}

	@Override
	protected SegmentStore store() {
		return this.store;
	}

	@Override
	protected void put(String key, long maxId, long step) {
		this.jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, ?, ?)", key, maxId, step);
	}

	@Override
	protected void remove(String key) {
		this.jdbc.update("DELETE FROM leaf_alloc WHERE biz_tag = ?", key);
	}

	@Test
	void allocate_worksAlongsideMeituansLeaf() {
		put("order", 1, 100);
		assertAllocated(this.store.allocate("order", 250, 0, TIMEOUT), 1, 251, 100);
		// the statements of Meituan's Leaf, which issues [max_id - step, max_id)
		this.jdbc.update("UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = ?", "order");
		assertThat(this.jdbc.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = ?", Long.class, "order"))
			.isEqualTo(351);
		assertAllocated(this.store.allocate("order", 10, 0, TIMEOUT), 351, 361, 100);
	}

	@Test
	void aProcessThatIsPausedAfterItsUpdateDoesNotLockTheRow() throws Exception {
		put("order", 1, 100);
		CountDownLatch updated = new CountDownLatch(1);
		CountDownLatch resume = new CountDownLatch(1);
		HookedDataSource pausing = new HookedDataSource(dataSource());
		pausing.afterWrites(() -> {
			updated.countDown();
			await(resume);
		});
		JdbcSegmentStore pausedStore = new JdbcSegmentStore(pausing, new TableName("leaf_alloc"));
		FutureTask<Allocation> paused = new FutureTask<>(() -> pausedStore.allocate("order", 10, 0, TIMEOUT));
		new Thread(paused, "paused").start();
		try {
			await(updated);
			assertAllocated(this.store.allocate("order", 10, 0, TIMEOUT), 11, 21, 100);
			assertThat(this.store.giveBack(List.of(new Unissued("order", 15, 21)))).containsExactly("order");
		}
		finally {
			resume.countDown();
		}
		assertAllocated(paused.get(30, TimeUnit.SECONDS), 1, 11, 100);
	}

	@Test
	void allocate_inAWindowBeyondTheColumnWorksOnceTheColumnIsWider() {
		Instant since = Instant.parse("2000-01-01T00:00:00Z");
		Window window = new Window(20261122000001L, 20261123000000L, since, since.plus(Duration.ofDays(365_000)),
				Raises.NONE);
		for (String type : List.of("INT", "BIGINT")) {
			this.jdbc.execute("DROP TABLE leaf_alloc");
			this.jdbc.execute(
					"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id %s NOT NULL, step INT NOT NULL)"
						.formatted(type));
			put("invoice", 1, 10);
			if (type.equals("INT")) {
				assertThatExceptionOfType(SegmentStoreException.class)
					.isThrownBy(() -> this.store.allocate("invoice", 5, window, TIMEOUT))
					.withMessageContaining("Make the column a BIGINT");
			}
		}
		assertAllocated(this.store.allocate("invoice", 5, window, TIMEOUT), 20261122000001L, 20261122000006L, 10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "BIGINT", "DECIMAL(20)" })
	void allocate_inAWindowWorksOnAnyColumn(String type) {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc
			.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id %s NOT NULL, step INT NOT NULL)"
				.formatted(type));
		put("invoice", 1, 10);
		Instant time = Objects.requireNonNull(this.store.read("invoice", TIMEOUT)).time();
		Instant future = time.plus(Duration.ofDays(1));
		assertThat(this.store.allocate("invoice", 3, new Window(101, 200, future, future.plusSeconds(60), Raises.NONE),
				TIMEOUT))
			.isNull();
		assertAllocated(this.store.allocate("invoice", 3, new Window(101, 200, time, future, Raises.NONE), TIMEOUT),
				101, 104, 10);
		assertThat(this.store.allocate("invoice", 97, new Window(101, 200, time, future, Raises.NONE), TIMEOUT))
			.isNull();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	private void putText(String key, String maxId, String step) {
		this.jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, ?, ?)", key, maxId, step);
	}

	@Test
	void allocate_takesOneStatement() {
		put("order", 1, 100);
		AtomicInteger statements = new AtomicInteger();
		HookedDataSource counted = new HookedDataSource(dataSource());
		JdbcSegmentStore store = new JdbcSegmentStore(counted, new TableName("leaf_alloc"));
		store.allocate("order", 5, 0, TIMEOUT);
		counted.beforeStatements(statements::incrementAndGet);
		assertAllocated(store.allocate("order", 5, 0, TIMEOUT), 6, 11, 100);
		assertThat(statements).as("need not be repeated if other processes advance the row").hasValue(1);
	}

	@Test
	void create_executesAnInsertThatEveryDatabaseUnderstands() {
		HookedDataSource recorded = new HookedDataSource(dataSource());
		new JdbcSegmentStore(recorded, new TableName("leaf_alloc")).create("order", 10, 1);
		assertThat(recorded.lastPrepared())
			.isEqualTo("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, ?, ?)");
		assertAllocated(allocate("order", 10), 1, 11, 10);
	}

	@Test
	void allocate_thatHasToReadFirstIsRepeatedIfOthersAdvanceTheRow() {
		// the library does not rely on how a database adds to columns of other types
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128), max_id DECIMAL(19), step DECIMAL(10))");
		put("order", 1, 100);
		AtomicInteger others = new AtomicInteger(3);
		HookedDataSource overtaken = new HookedDataSource(dataSource());
		overtaken.beforeWrites(() -> {
			if (others.getAndDecrement() > 0) {
				allocate("order", 10);
			}
		});
		JdbcSegmentStore store = new JdbcSegmentStore(overtaken, new TableName("leaf_alloc"));
		assertThat(store.allocate("order", 5, 0, TIMEOUT)).isEqualTo(new Allocation(31, 36, 100));
		overtaken.beforeWrites(() -> allocate("order", 1));
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> store.allocate("order", 5, 0, TIMEOUT))
			.withMessageContainingAll("'order'", "leaf_alloc", "100 attempts")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
	}

	@Test
	void allocate_readsFirstIfTheDriverDoesNotReturnTheValue() {
		put("order", 1, 100);
		HookedDataSource mute = new HookedDataSource(dataSource());
		mute.returnNoKeys();
		JdbcSegmentStore store = new JdbcSegmentStore(mute, new TableName("leaf_alloc"));
		Allocation first = store.allocate("order", 10, 0, TIMEOUT);
		assertThat(first.from()).as("an allocation without an answer is lost").isIn(1L, 11L);
		assertAllocated(store.allocate("order", 10, 0, TIMEOUT), first.to(), first.to() + 10, 100);
		assertThat(this.jdbc.queryForObject("SELECT max_id FROM leaf_alloc", Long.class)).isEqualTo(first.to() + 10);
	}

	@Test
	void allocate_refusesToPassTheLargestNumberThatTheColumnHolds() {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id INT, step INT)");
		put("order", Integer.MAX_VALUE - 10, 100);
		assertAllocated(allocate("order", 10), Integer.MAX_VALUE - 10, Integer.MAX_VALUE, 100);
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> allocate("order", 1))
			.withMessageContainingAll("'order'", "size 1 from 2147483647 would raise it above 2147483647")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void allocate_continuesOnceTheColumnHoldsLargerNumbers() {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id INT, step INT)");
		put("order", Integer.MAX_VALUE, 100);
		JdbcSegmentStore store = this.store;
		assertThatExceptionOfType(SegmentStoreException.class)
			.isThrownBy(() -> store.allocate("order", 100, 0, TIMEOUT));
		createTable();
		put("order", Integer.MAX_VALUE, 100);
		assertAllocated(store.allocate("order", 100, 0, TIMEOUT), Integer.MAX_VALUE, Integer.MAX_VALUE + 100L, 100);
	}

	@ParameterizedTest
	@ValueSource(strings = { "40001", "40000" })
	void allocate_thatTheDatabaseHasRolledBackIsRepeatedOnAnotherConnection(String state) {
		put("order", 1, 100);
		AtomicInteger connections = new AtomicInteger();
		AtomicInteger writes = new AtomicInteger();
		HookedDataSource deadlocking = new HookedDataSource(new DelegatingDataSource(dataSource()) {
			@Override
			public Connection getConnection() throws SQLException {
				connections.incrementAndGet();
				return super.getConnection();
			}
		});
		deadlocking.beforeWrites(() -> {
			if (writes.incrementAndGet() <= 2) {
				throw new UndeclaredThrowableException(new SQLException("rolled back", state));
			}
		});
		JdbcSegmentStore store = new JdbcSegmentStore(deadlocking, new TableName("leaf_alloc"));
		assertAllocated(store.allocate("order", 10, 0, TIMEOUT), 1, 11, 100);
		assertThat(connections).hasValue(3);
	}

	@Test
	void aConnectionOnWhichAStatementFailedIsNotUsedAgain() throws SQLException {
		put("order", 1, 100);
		try (Connection real = dataSource().getConnection()) {
			Connection connection = mock(Connection.class, delegatesTo(real));
			willDoNothing().given(connection).abort(any());
			DataSource dataSource = new SingleConnectionDataSource(connection, true);
			assertAllocated(
					new JdbcSegmentStore(dataSource, new TableName("leaf_alloc")).allocate("order", 9, 0, TIMEOUT), 1,
					10, 100);
			then(connection).should(never()).abort(any());
			assertThatExceptionOfType(SegmentStoreException.class)
				.isThrownBy(new JdbcSegmentStore(dataSource, new TableName("leaf_none"))::findAll);
			then(connection).should().abort(any());
		}
	}

	@Test
	void aLockedRowCostsTheTimeoutButNoNumbers() throws Exception {
		put("order", 1, 100);
		put("other", 1, 100);
		try (Connection locking = dataSource().getConnection()) {
			locking.setAutoCommit(false);
			new JdbcTemplate(new SingleConnectionDataSource(locking, true))
				.update("UPDATE leaf_alloc SET step = 200 WHERE biz_tag = 'order'");
			assertThatExceptionOfType(SegmentStoreException.class)
				.isThrownBy(() -> this.store.allocate("order", 10, 0, Duration.ofSeconds(1)))
				.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
			assertAllocated(allocate("other", 10), 1, 11, 100);
			locking.rollback();
			locking.setAutoCommit(true);
		}
		assertAllocated(allocate("order", 10), 1, 11, 100);
	}

	@Test
	void aConnectionWithoutAutoCommitIsReturnedUnchanged() throws SQLException {
		put("order", 1, 100);
		try (Connection connection = dataSource().getConnection()) {
			connection.setAutoCommit(false);
			JdbcSegmentStore store = new JdbcSegmentStore(new SingleConnectionDataSource(connection, true),
					new TableName("leaf_alloc"));
			assertAllocated(store.allocate("order", 10, 0, TIMEOUT), 1, 11, 100);
			assertThat(connection.getAutoCommit()).isFalse();
			assertThat(this.store.find(List.of("order"))).containsExactly(new SegmentRow("order", 11, 100));
			connection.setAutoCommit(true);
		}
	}

	@Test
	void garbageInOneRowIsRefusedAndTheOthersWork() {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128), max_id VARCHAR(60), step VARCHAR(60))");
		putText(null, "1", "10");
		putText("order", "1", "10");
		String[] numbers = { null, "", "-1", "-9223372036854775809", "18446744073709551615", "1.5", "1e3", "NaN", "0x1",
				" 1", "x" };
		for (int i = 0; i < numbers.length; i++) {
			putText("max" + i, numbers[i], "10");
			putText("step" + i, "1", numbers[i]);
		}
		putText("step-0", "1", "0");
		putText("max-end", Long.toString(SegmentStore.MAX_END - 9), "10");
		List<SegmentRow> rows = this.store.findAll();
		assertThat(rows).hasSize(2 * numbers.length + 3).contains(new SegmentRow("order", 1, 10));
		for (SegmentRow row : rows) {
			if (!row.key().equals("order")) {
				assertThatExceptionOfType(SegmentStoreException.class).as(row.key())
					.isThrownBy(() -> allocate(row.key(), 10))
					.withMessageStartingWith("The row of key '%s' in table leaf_alloc cannot be used: its %s is "
						.formatted(row.key(), row.key().startsWith("max") ? "max_id" : "step"))
					.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
			}
		}
		assertThat(this.store.find(List.of("order"))).containsExactly(new SegmentRow("order", 1, 10));
	}

	@Test
	void nullsInOneRowAreRefusedAndTheOthersWork() {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128), max_id BIGINT, step INT)");
		put("order", 1, 10);
		this.jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('max', NULL, 10)");
		this.jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('step', 1, NULL)");
		for (String key : List.of("max", "step")) {
			assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> allocate(key, 10))
				.withMessageContainingAll("'" + key + "'",
						key + (key.equals("max") ? "_id" : "") + " is NULL, too large or not a whole number")
				.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
		}
		assertAllocated(allocate("order", 10), 1, 11, 10);
	}

	@Test
	void find_ofAHostileKeyFindsNothing() {
		long seed = Long.getLong("leaf.seed", 20261121);
		put("order", 5, 10);
		put("?", 5, 10);
		HostileKeys keys = new HostileKeys(seed);
		Set<String> all = new LinkedHashSet<>(List.of("order"));
		for (int i = 0; i < 300; i++) {
			String key = keys.next();
			if (IdArguments.isKey(key)) {
				assertThat(this.store.find(List.of(key))).extracting(SegmentRow::key)
					.as("'%s', number %d of -Dleaf.seed=%d", key, i, seed)
					.doesNotContain(key);
				all.add(key);
			}
		}
		assertThat(this.store.find(all)).as("-Dleaf.seed=%d", seed)
			.filteredOn((row) -> all.contains(row.key()))
			.containsOnly(new SegmentRow("order", 5, 10));
		assertThat(this.store.find(List.of("\ud800"))).as("half of a surrogate pair, which drivers send as '?'")
			.extracting(SegmentRow::key)
			.doesNotContain("\ud800");
		assertThat(this.store.findAll()).hasSize(2);
	}

	@Test
	void aKeyThatIsTooLongForTheColumnIsAnUnknownKey() {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(8) PRIMARY KEY, max_id BIGINT, step INT)");
		this.store.create("order", 10, 1);
		this.store.create("order-of-a-customer", 10, 1);
		assertThat(this.store.find(List.of("order-of-a-customer", "order")))
			.containsExactly(new SegmentRow("order", 1, 10));
		assertThat(this.store.findAll()).hasSize(1);
	}

	@Test
	void aKeyWithACharacterThatTheColumnCannotHoldDoesNotAffectOtherKeys() {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag %s PRIMARY KEY, max_id BIGINT, step INT)".formatted(latinText()));
		this.store.create("order", 10, 1);
		assertThat(this.store.find(List.of("a", "\u8ba2\u5355", "b", "\ud83d\ude00", "order")))
			.containsExactly(new SegmentRow("order", 1, 10));
		assertThatCode(() -> this.store.create("\u8ba2\u5355", 10, 1)).doesNotThrowAnyException();
	}

	@Test
	void theScriptMayRunAgain() {
		put("order", 5, 10);
		run(TableLayout.SHIPPED.ddl(platform()));
		assertThat(this.store.find(List.of("order"))).hasSize(1);
	}

	@Test
	void aMissingTableIsReportedWithAdvice() {
		String missing = "leaf_" + UUID.randomUUID().toString().substring(0, 8);
		JdbcSegmentStore store = new JdbcSegmentStore(dataSource(), new TableName(missing));
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(store::findAll)
			.withMessageContainingAll("There is no table " + missing, "leaf.segment.initialize-schema",
					"leaf.segment.table")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void aTableWithOtherColumnsIsReportedWithAdvice() {
		this.jdbc.execute("DROP TABLE IF EXISTS not_leaf");
		this.jdbc.execute("CREATE TABLE not_leaf (biz_tag VARCHAR(128), max_id BIGINT)");
		JdbcSegmentStore store = new JdbcSegmentStore(dataSource(), new TableName("not_leaf"));
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(store::findAll)
			.withMessageContainingAll("not_leaf is not a Leaf table", "biz_tag, max_id and step");
	}

}
