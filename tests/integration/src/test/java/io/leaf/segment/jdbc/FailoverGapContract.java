// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Counter;
import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.segment.SegmentStoreContract;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.Dialect.Target;
import io.leaf.segment.jdbc.FailoverGap.Found;
import io.leaf.segment.jdbc.FailoverGap.Primary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The contract of a store that raises the counters after a failover. A failover is
 * simulated by changing the tables to what another server could have: the name of the
 * former server, and counters that lag behind.
 */
abstract class FailoverGapContract extends SegmentStoreContract {

	private static final TableName TABLE = new TableName("leaf_alloc");

	private static final long GAP = 1000;

	private final JdbcTemplate jdbc = new JdbcTemplate(dataSource());

	private JdbcSegmentStore store;

	abstract HikariDataSource dataSource();

	abstract String platform();

	/**
	 * Returns the query that counts the sessions that wait for a lock.
	 */
	abstract String lockWaits();

	@BeforeEach
	void createTables() {
		this.jdbc.execute("DROP TABLE IF EXISTS leaf_alloc");
		this.jdbc.execute("DROP TABLE IF EXISTS leaf_primary");
		new ResourceDatabasePopulator(new ClassPathResource("io/leaf/segment/jdbc/schema-%s.sql".formatted(platform())))
			.execute(dataSource());
		this.store = process();
	}

	private JdbcSegmentStore process() {
		return new JdbcSegmentStore(dataSource(), TABLE, GAP);
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

	private void failOver() {
		this.jdbc.update("UPDATE leaf_primary SET server = 'the former one'");
	}

	private void failOverToServerWithoutRaises(long version, long maxId) {
		this.jdbc.update(
				"UPDATE leaf_primary SET server = 'the first one', failovers = 0, gap = 0, raised = 0, version = ?, raised_at = ''",
				version);
		this.jdbc.update("UPDATE leaf_alloc SET max_id = ?", maxId);
	}

	private long number(String column) {
		return this.jdbc.queryForObject("SELECT %s FROM leaf_primary".formatted(column), Long.class);
	}

	private long maxId(String key) {
		return this.jdbc.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = ?", Long.class, key);
	}

	@Test
	void afterAFailoverAllCountersAreRaisedOnce() {
		put("order", 1, 10);
		put("user", 500, 10);
		JdbcSegmentStore other = process();
		assertAllocated(allocate("order", 10), 1, 11, 10);
		assertAllocated(other.allocate("order", 10, 0, TIMEOUT), 11, 21, 10);
		failOver();
		assertAllocated(other.allocate("order", 10, 0, TIMEOUT), 1021, 1031, 10);
		assertAllocated(allocate("order", 10), 1031, 1041, 10);
		assertAllocated(allocate("user", 10), 1500, 1510, 10);
		assertAllocated(process().allocate("user", 10, 0, TIMEOUT), 1510, 1520, 10);
		assertThat(number("failovers")).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "DECIMAL(18)", "INTEGER" })
	void afterAFailoverCountersOfAnyTypeAreRaised(String type) {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id %1$s, step %1$s)".formatted(type));
		put("order", 1, 10);
		assertAllocated(allocate("order", 10), 1, 11, 10);
		failOver();
		assertAllocated(allocate("order", 10), 1011, 1021, 10);
	}

	private void loseARaise() {
		put("order", 1, 10);
		allocate("order", 10);
		long version = number("version");
		failOver();
		assertAllocated(allocate("order", 10), 1011, 1021, 10);
		failOverToServerWithoutRaises(version, 1);
	}

	@Test
	void aProcessThatHasSeenALostRaiseRaisesTheCountersByBothGaps() {
		loseARaise();
		assertAllocated(allocate("order", 10), 2001, 2011, 10);
		assertThat(number("failovers")).isEqualTo(2);
	}

	@Test
	void aLostRaiseIsDetectedEvenIfAnotherProcessHasRaisedTheCounters() {
		loseARaise();
		assertAllocated(process().allocate("order", 10, 0, TIMEOUT), 1001, 1011, 10);
		assertAllocated(allocate("order", 10), 2011, 2021, 10);
	}

	@Test
	void aPeriodThatAFailoverHasLostBeginsAboveTheLostNumbers() {
		put("invoice", 2026112305, 10);
		Counter counter = read(this.store);
		Instant start = counter.time().minusSeconds(60);
		Window window = new Window(2026112401, 2026112500, start, start.plusSeconds(3600), counter.raises());
		assertAllocated(this.store.allocate("invoice", 3, window, TIMEOUT), 2026112401, 2026112404, 10);
		this.jdbc.update("UPDATE leaf_alloc SET max_id = 2026112305");
		failOver();
		assertThat(this.store.allocate("invoice", 3, window, TIMEOUT)).isNull();
		assertThat(maxId("invoice")).isEqualTo(2026112305 + GAP);
		Raises raises = read(this.store).raises();
		assertThat(raises.since(start)).isEqualTo(GAP);
		assertThat(raises.since(start.plusSeconds(3600))).isZero();
		Window raised = new Window(2026112401 + GAP, 2026112500 + GAP, start, start.plusSeconds(3600), raises);
		assertAllocated(this.store.allocate("invoice", 3, raised, TIMEOUT), 2026112401 + GAP, 2026112404 + GAP, 10);
		JdbcSegmentStore other = process();
		other.checkWritable();
		assertThat(read(other).raises()).isEqualTo(raises);
	}

	@Test
	void aReadNoticesThatAnotherProcessHasRaisedTheCounters() {
		put("invoice", 1, 10);
		assertThat(read(this.store).raises()).isEqualTo(Raises.NONE);
		failOver();
		assertThat(read(process()).raises().total()).isEqualTo(1);
		Counter counter = read(this.store);
		assertThat(counter.next()).isEqualTo(1 + GAP);
		assertThat(counter.raises().total()).isEqualTo(1);
	}

	private static Counter read(SegmentStore store) {
		return Objects.requireNonNull(store.read("invoice", TIMEOUT));
	}

	@Test
	void aRaiseForAnotherServerOrAtALaterTimeDoesNothing() {
		put("order", 1, 10);
		this.store.checkWritable();
		Target target = Dialect.target(this.jdbc, TABLE);
		Primary primary = new PrimaryTable(dataSource(), TABLE).row(target);
		Found found = Objects.requireNonNull(primary.find());
		Instant later = found.time().plusSeconds(60);
		primary.raise(found.record(), found.record().next("another one", null, GAP, 5, later), GAP);
		primary.raise(found.record(), found.record().next(found.server(), null, GAP, 6, found.time().minusSeconds(2)),
				GAP);
		assertThat(maxId("order")).isEqualTo(1);
		primary.raise(found.record(), found.record().next(found.server(), null, GAP, 7, later), GAP);
		assertThat(maxId("order")).isEqualTo(1 + GAP);
		assertThat(number("version")).isEqualTo(7);
	}

	@Test
	void aLostRowCountsAsAFailover() {
		put("order", 1, 10);
		allocate("order", 10);
		this.jdbc.update("DELETE FROM leaf_primary");
		assertAllocated(allocate("order", 10), 1011, 1021, 10);
	}

	@Test
	void numbersOfTheFormerServerAreNotGivenBack() {
		put("order", 1, 10);
		allocate("order", 10);
		failOver();
		assertThat(this.store.giveBack(List.of(new Unissued("order", 5, 11)))).isEmpty();
		assertThat(maxId("order")).isEqualTo(11);
	}

	@Test
	void aRowThatIsAddedStartsAboveTheNumbersOfALostOne() {
		this.store.create("order", 10, 7);
		assertThat(maxId("order")).isEqualTo(7);
		failOver();
		remove("order");
		this.store.create("order", 10, 7);
		assertThat(maxId("order")).isEqualTo(1007);
	}

	@Test
	void aSmallerGapThanBeforeIsNotUsed() {
		put("order", 1, 10);
		allocate("order", 10);
		failOver();
		allocate("order", 10);
		failOver();
		JdbcSegmentStore smaller = new JdbcSegmentStore(dataSource(), TABLE, GAP / 10);
		assertAllocated(smaller.allocate("order", 10, 0, TIMEOUT), 1 + 20 + 2 * GAP, 31 + 2 * GAP, 10);
		assertThat(number("gap")).isEqualTo(GAP);
		remove("order");
		smaller.create("order", 10, 7);
		assertThat(maxId("order")).isEqualTo(7 + 2 * GAP);
	}

	@Test
	void aLargerGapThanBeforeIsUsedFromTheNextFailoverOn() {
		put("order", 1, 10);
		allocate("order", 10);
		failOver();
		allocate("order", 10);
		failOver();
		JdbcSegmentStore larger = new JdbcSegmentStore(dataSource(), TABLE, 10 * GAP);
		assertAllocated(larger.allocate("order", 10, 0, TIMEOUT), 21 + 11 * GAP, 31 + 11 * GAP, 10);
		assertThat(number("raised")).isEqualTo(11 * GAP);
	}

	@Test
	void aCounterIsNotRaisedBeyondTheLargestNumber() {
		put("order", SegmentStore.MAX_END - 10, 10);
		put("user", -1, 10);
		this.store.checkWritable();
		failOver();
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> allocate("order", 10))
			.withMessageContaining("the largest possible value");
		assertThat(maxId("order")).isEqualTo(SegmentStore.MAX_END);
	}

	@Test
	void onlyOneOfManyProcessesRaisesTheCounters() throws Exception {
		put("order", 1, 10);
		allocate("order", 10);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			for (int round = 1; round <= 20; round++) {
				failOver();
				CyclicBarrier together = new CyclicBarrier(8);
				List<Future<?>> processes = new ArrayList<>();
				for (int i = 0; i < 8; i++) {
					JdbcSegmentStore process = (i == 0) ? this.store : process();
					processes.add(threads.submit(() -> {
						together.await();
						return process.allocate("order", 1, 0, TIMEOUT);
					}));
				}
				for (Future<?> process : processes) {
					process.get();
				}
				assertThat(maxId("order")).isEqualTo(11 + round * (GAP + 8));
			}
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void aProcessDoesNotWaitLongForAnotherThatRaisesTheCounters() throws Exception {
		put("order", 1, 10);
		allocate("order", 10);
		failOver();
		try (Connection other = dataSource().getConnection(); Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.executeQuery("SELECT server FROM leaf_primary FOR UPDATE").close();
			long start = System.nanoTime();
			assertThatExceptionOfType(SegmentStoreException.class)
				.isThrownBy(() -> this.store.allocate("order", 10, 0, Duration.ofSeconds(1)));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
			other.rollback();
		}
		assertAllocated(allocate("order", 10), 1011, 1021, 10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TRANSACTION_READ_UNCOMMITTED", "TRANSACTION_READ_COMMITTED",
			"TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE" })
	void aProcessUsesRaisedCountersAtAnyIsolationLevel(String isolation) throws Exception {
		put("order", 1, 10);
		allocate("order", 10);
		String server = this.jdbc.queryForObject("SELECT server FROM leaf_primary", String.class);
		failOver();
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try (HikariDataSource pool = pool(isolation); Connection other = dataSource().getConnection()) {
			JdbcSegmentStore process = new JdbcSegmentStore(pool, TABLE, GAP);
			other.setAutoCommit(false);
			JdbcTemplate raise = new JdbcTemplate(new SingleConnectionDataSource(other, true));
			raise.update("UPDATE leaf_primary SET failovers = 1, gap = 1000, raised = 1000, version = 5, server = ?",
					server);
			Future<Allocation> allocation = thread.submit(() -> process.allocate("order", 10, 0, TIMEOUT));
			await().until(() -> this.jdbc.queryForObject(lockWaits(), int.class) > 0);
			raise.update("UPDATE leaf_alloc SET max_id = max_id + 1000");
			other.commit();
			other.setAutoCommit(true);
			assertAllocated(allocation.get(), 1011, 1021, 10);
		}
		finally {
			thread.shutdown();
		}
	}

	@Test
	void aProcessUsesRaisedCountersOfAnyType() throws Exception {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		this.jdbc.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id DECIMAL(18), step INT)");
		aProcessUsesRaisedCountersAtAnyIsolationLevel("TRANSACTION_READ_UNCOMMITTED");
	}

	private HikariDataSource pool(String isolation) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(dataSource().getJdbcUrl());
		config.setUsername(dataSource().getUsername());
		config.setPassword(dataSource().getPassword());
		config.setTransactionIsolation(isolation);
		return new HikariDataSource(config);
	}

	@Test
	void theMissingTableIsNamed() {
		this.jdbc.execute("DROP TABLE leaf_alloc");
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> this.store.checkWritable())
			.withMessageContaining("There is no table leaf_alloc");
	}

	@Test
	void aMissingTableIsReportedAtStartup() {
		this.jdbc.execute("DROP TABLE leaf_primary");
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> this.store.checkWritable())
			.withMessageContainingAll("There is no table leaf_primary", "leaf.segment.failover-gap=0")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

}
