// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.leaf.jdbc.JdbcFailures;
import io.leaf.jdbc.OwnConnections;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.Dialect.Target;
import io.leaf.segment.jdbc.PrimaryTable.Condition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Stores the counters in the table {@code leaf_alloc}, one row per key, as Meituan's Leaf
 * does. This class and Meituan's Leaf can use the same rows at the same time.
 * <p>
 * The column {@code max_id} holds the smallest number that has not been allocated. After
 * the update that allocates {@code size} numbers, the allocated numbers are
 * {@code [max_id - size, max_id)}. The statements name the columns {@code biz_tag},
 * {@code max_id} and {@code step} only, so the table may have other columns, provided
 * that they are nullable or have defaults.
 * <p>
 * A counter is advanced by one statement that commits itself and returns the new value
 * (see {@link Dialect}). Meituan's Leaf instead uses a transaction of an update and a
 * read, which locks the row for a round trip. If a process is paused in this transaction,
 * no other process can use the row until the paused process runs again. If no statement
 * can return the new value, this class reads the counter, and then updates it only if it
 * still has the value that was read. This does not hold a lock between statements either,
 * but only one of the processes that have read the same value succeeds, and the others
 * have to start over.
 * <p>
 * Safe for use by any number of threads. If a method is called inside a transaction of
 * the caller, for example a JPA transaction, it uses a connection of its own, which
 * commits each statement.
 */
public final class JdbcSegmentStore implements SegmentStore {

	private static final Logger logger = LoggerFactory.getLogger(JdbcSegmentStore.class);

	/**
	 * How many times to try to advance a counter that has to be read first. Whenever an
	 * attempt fails, another process has advanced the counter, so some process always
	 * succeeds.
	 */
	private static final int ATTEMPTS = 100;

	/**
	 * How many times an operation is executed at most. It is executed again if the
	 * database has rolled a statement back in favor of another one, or if another server
	 * has become the primary.
	 */
	private static final int EXECUTIONS = 5;

	/**
	 * The SQL states of the class "transaction rollback", except for 40003, "statement
	 * completion unknown". For example, databases report 40001 after a deadlock. MySQL
	 * Group Replication reports 40000 if a member of the cluster refuses a commit because
	 * another member has changed the row.
	 */
	private static final Pattern ROLLED_BACK = Pattern.compile("40(?!003).*");

	/**
	 * How long it may take to read the whole table, even if it has a hundred thousand
	 * rows.
	 */
	private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * Stands for a value that is {@code NULL}, not a whole number, or too large for a
	 * {@code long}.
	 */
	private static final long NO_NUMBER = Long.MIN_VALUE;

	// the numbers are read as text, so that one invalid row does not make all rows
	// unreadable
	private static final RowMapper<SegmentRow> ROW = (rs, index) -> new SegmentRow(rs.getString(1),
			number(rs.getString(2)), number(rs.getString(3)));

	/**
	 * The character that PostgreSQL does not accept in texts. On every database, a key
	 * that contains this character is treated as a key without a row.
	 */
	private static final char NUL = 0;

	/**
	 * How many keys one statement reads at most. Oracle allows no more values in a list.
	 */
	private static final int MAX_KEYS = 1000;

	/**
	 * The errors of MySQL and MariaDB for a key that the column cannot hold:
	 * ER_CANT_AGGREGATE_2COLLATIONS, _3COLLATIONS and _NCOLLATIONS,
	 * ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, and, for statements that MySQL prepares,
	 * ER_CANNOT_CONVERT_STRING and ER_IMPOSSIBLE_STRING_CONVERSION.
	 */
	private static final Set<Integer> MYSQL_NO_TEXT = Set.of(1267, 1270, 1271, 1366, 3854, 3988);

	private static final JdbcFailures.Advice ADVICE = new JdbcFailures.Advice(
			"Grant SELECT and UPDATE on the table, and INSERT for leaf.segment.auto-create.enabled=true",
			"Create the table with the script for your database (%s), or set leaf.segment.initialize-schema=always, or name another table with leaf.segment.table, or another database with leaf.segment.datasource.url"
				.formatted(JdbcFailures.SCRIPTS),
			"Give the table the columns biz_tag, max_id and step, as in the scripts (%s); or name another table with leaf.segment.table"
				.formatted(JdbcFailures.SCRIPTS));

	private final TableName table;

	private final OwnConnections connections;

	private final FailoverGap failoverGap;

	private final PrimaryTable primaryTable;

	private volatile @Nullable Target target;

	/**
	 * Creates a store.
	 * @param dataSource the database of the table
	 * @param table the name of the table
	 */
	public JdbcSegmentStore(DataSource dataSource, TableName table) {
		this(dataSource, table, 0);
	}

	/**
	 * Creates a store that raises all counters after each failover of the database.
	 * @param dataSource the database of the table
	 * @param table the name of the table
	 * @param failoverGap by how much to raise the counters for each failover, unless a
	 * larger gap has been used before, or 0 if they are never raised
	 */
	public JdbcSegmentStore(DataSource dataSource, TableName table, long failoverGap) {
		this.table = table;
		this.connections = new OwnConnections(dataSource, new JdbcFailures(table, ADVICE, SegmentStoreException::new));
		this.failoverGap = new FailoverGap(failoverGap, new SecureRandom()::nextLong);
		this.primaryTable = new PrimaryTable(dataSource, table);
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
		return repeat(() -> this.connections.execute(timeout, (jdbc) -> advance(jdbc, key, size, floor, null)));
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, Window window, Duration timeout) {
		return repeat(
				() -> this.connections.execute(timeout, (jdbc) -> advance(jdbc, key, size, window.from(), window)));
	}

	// Each execution takes a connection from the DataSource again, because a pool may
	// have closed the connection on which a statement failed.
	private <T extends @Nullable Object> T repeat(Supplier<T> work) {
		for (int execution = 1;; execution++) {
			try {
				return work.get();
			}
			catch (ServerChangedException ex) {
				if (execution == EXECUTIONS) {
					throw ex;
				}
				follow();
			}
			catch (SegmentStoreException ex) {
				if (execution == EXECUTIONS || !isRolledBack(ex)) {
					throw ex;
				}
			}
		}
	}

	private Condition condition() {
		return condition(this.failoverGap.seen());
	}

	private Condition condition(@Nullable PrimaryRecord seen) {
		if (!this.failoverGap.isEnabled()) {
			return Condition.NONE;
		}
		if (seen == null) {
			throw new ServerChangedException(this.table);
		}
		return this.primaryTable.condition(seen);
	}

	// Returns whether the raises of the counters with which the window was determined
	// differ from those that this process has seen. Raises that this process has not seen
	// need no check here: after such a raise, leaf_primary has a new version, so the
	// UPDATE of the counter, which is conditional on the version that this process has
	// seen, updates no row.
	private boolean assumesOtherRaises(@Nullable Window window, @Nullable PrimaryRecord seen) {
		return window != null && !window.raises().equals(this.failoverGap.raises(seen));
	}

	private void require(Condition condition, JdbcTemplate jdbc) {
		if (!condition.isMet(jdbc)) {
			throw new ServerChangedException(this.table);
		}
	}

	private void follow() {
		repeat(() -> {
			Target target = this.connections.execute(this::target);
			this.failoverGap.follow(this.primaryTable.row(target));
			return true;
		});
	}

	private static boolean isRolledBack(SegmentStoreException failure) {
		return ROLLED_BACK.matcher(String.valueOf(JdbcFailures.sqlException(failure).getSQLState())).matches();
	}

	// no lock is needed, because concurrent threads get the same result
	private Target target(JdbcTemplate jdbc) {
		Target target = this.target;
		if (target == null) {
			target = Dialect.target(jdbc, this.table);
			this.target = target;
		}
		return target;
	}

	private @Nullable Allocation advance(JdbcTemplate jdbc, String key, long size, long floor,
			@Nullable Window window) {
		Target target = target(jdbc);
		jdbc.setIgnoreWarnings(target.mySql());
		if (target.dialect() == Dialect.OTHER) {
			return readAndSet(jdbc, target, key, size, floor, window);
		}
		PrimaryRecord seen = this.failoverGap.seen();
		Condition condition = condition(seen);
		if (assumesOtherRaises(window, seen)) {
			return null;
		}
		Criterion criterion = condition.criterion().and(within(window, target, key));
		long last = ((window != null) ? window.to() : target.maxEnd()) - size;
		SegmentRow row = (floor <= last)
				? target.dialect().advance(jdbc, this.table, key, size, floor, last, criterion).orElse(null) : null;
		if (row == null) {
			return withoutUpdate(jdbc, target, key, size, floor, window, condition);
		}
		if (row.maxId() != Dialect.NOT_RETURNED) {
			return new Allocation(row.maxId() - size, row.maxId(), row.step());
		}
		// the numbers that the UPDATE has allocated are lost
		logger.info(
				"The JDBC driver does not return the value that an UPDATE of table {} has set, so from now on, the row is read before each UPDATE",
				this.table);
		Target conditional = target.withoutAnswers();
		this.target = conditional;
		return readAndSet(jdbc, conditional, key, size, floor, window);
	}

	private Criterion within(@Nullable Window window, Target target, String key) {
		if (window == null) {
			return Criterion.NONE;
		}
		if (window.to() > target.maxEnd()) {
			// the next attempt reads the column's type again, because the column may have
			// been changed to a larger type by then
			this.target = null;
			throw new SegmentStoreException(
					"Key '%s' cannot have a period, because its numbers would go up to %d, but the column max_id of table %s only holds numbers up to %d. Make the column a BIGINT"
						.formatted(key, window.to(), this.table, target.maxEnd()),
					null, true);
		}
		return clock(target, key).within(window);
	}

	private DatabaseClock clock(Target target, String key) {
		if (target.clock() == null) {
			throw new SegmentStoreException(
					"Key '%s' cannot have a period, because Leaf can only read the clock of MySQL, MariaDB, PostgreSQL and H2. Remove leaf.keys.<key>.period"
						.formatted(key),
					null, true);
		}
		return target.clock();
	}

	@Override
	public @Nullable Counter read(String key, Duration timeout) {
		return repeat(() -> this.connections.execute(timeout, (jdbc) -> {
			// a session that does not commit would keep the row locked
			this.connections.requireCommits(jdbc);
			return read(jdbc, key);
		}));
	}

	private @Nullable Counter read(JdbcTemplate jdbc, String key) {
		Target target = target(jdbc);
		DatabaseClock clock = clock(target, key);
		PrimaryRecord seen = this.failoverGap.seen();
		Condition condition = condition(seen);
		Raises raises = this.failoverGap.raises(seen);
		List<SegmentRow> rows = new ArrayList<>();
		// because of FOR UPDATE, a proxy that splits reads and writes sends this SELECT
		// to the primary server
		List<Counter> counters = jdbc.query("SELECT biz_tag, max_id, step, %s FROM %s WHERE biz_tag = ? FOR UPDATE"
			.formatted(clock.column(), this.table), (rs, index) -> {
				SegmentRow row = Objects.requireNonNull(ROW.mapRow(rs, index));
				rows.add(row);
				return new Counter(row.maxId(), clock.read(rs, 4), raises);
			}, key);
		// a counter that was raised meanwhile would not fit the raises that are known
		require(condition, jdbc);
		if (counters.isEmpty()) {
			return null;
		}
		allocation(rows, 1, 0, target.maxEnd());
		return counters.get(0);
	}

	// Finds out why the number of updated rows is not 1. Only reads, because another
	// UPDATE would allocate numbers if the reason no longer applied, and these numbers
	// would be lost.
	private @Nullable Allocation withoutUpdate(JdbcTemplate jdbc, Target target, String key, long size, long floor,
			@Nullable Window window, Condition condition) {
		this.connections.requireCommits(jdbc);
		require(condition, jdbc);
		if (window != null) {
			return null;
		}
		List<SegmentRow> rows = select(jdbc, List.of(key), target.dialect().lock());
		if (rows.isEmpty()) {
			return null;
		}
		allocation(rows, size, floor, target.maxEnd());
		throw new SegmentStoreException(
				"The UPDATE for key '%s' in table %s did not allocate the %d numbers requested, because another process changed the row at the same time or the session does not commit. If this happens repeatedly, check that autocommit is not 0 (on MySQL and MariaDB)"
					.formatted(key, this.table, size),
				null, false);
	}

	private @Nullable Allocation readAndSet(JdbcTemplate jdbc, Target target, String key, long size, long floor,
			@Nullable Window window) {
		this.connections.requireCommits(jdbc);
		PrimaryRecord seen = this.failoverGap.seen();
		Condition condition = condition(seen);
		if (assumesOtherRaises(window, seen)) {
			return null;
		}
		Criterion criterion = condition.criterion().and(within(window, target, key));
		String update = "UPDATE %s SET max_id = ? WHERE biz_tag = ? AND max_id = ?%s%s".formatted(this.table,
				target.mySql() ? Dialect.COMMITS : "", criterion.sql());
		for (int i = 0; i < ATTEMPTS; i++) {
			require(condition, jdbc);
			List<SegmentRow> rows = select(jdbc, List.of(key), target.dialect().lock());
			if (rows.isEmpty()) {
				return null;
			}
			Allocation allocation = allocation(rows, size, floor, target.maxEnd());
			if (window != null && (allocation.to() > window.to() || !isWithin(jdbc, window, key))) {
				return null;
			}
			List<Object> arguments = new ArrayList<>(List.of(allocation.to(), key, rows.get(0).maxId()));
			arguments.addAll(criterion.arguments());
			if (jdbc.update(update, arguments.toArray()) == 1) {
				return allocation;
			}
		}
		throw new SegmentStoreException(
				"Gave up on allocating numbers of key '%s' in table %s after %d attempts: each time, another process updated the row first"
					.formatted(key, this.table, ATTEMPTS),
				null, false);
	}

	private boolean isWithin(JdbcTemplate jdbc, Window window, String key) {
		Counter counter = read(jdbc, key);
		return counter != null && !counter.time().isBefore(window.since()) && counter.time().isBefore(window.until());
	}

	private Allocation allocation(List<SegmentRow> rows, long size, long floor, long maxEnd) {
		SegmentRow row = rows.get(0);
		long from = Math.max(row.maxId(), floor);
		String reason = null;
		if (rows.size() > 1) {
			reason = "there are %d rows with this biz_tag. Remove all but the one with the largest max_id, and make the column unique"
				.formatted(rows.size());
		}
		else if (row.step() < 1) {
			reason = "its step is %s. Set a step of 1 or more: UPDATE %s SET step = 1000 WHERE biz_tag = '%s'"
				.formatted(text(row.step()), this.table, row.key().replace("'", "''"));
		}
		else if (row.maxId() < 0) {
			reason = "its max_id is %s. Set max_id to the smallest number, 0 or more, that has not been issued yet. IDs are never negative"
				.formatted(text(row.maxId()));
		}
		else if (from > maxEnd - size) {
			// the next attempt reads the column's type again, because the column may have
			// been changed to a larger type by then
			this.target = null;
			reason = "its max_id is %d: an allocation of size %d from %d would raise it above %d, the largest possible value. If max_id was set by mistake, set it to the smallest number that has not been issued yet. Otherwise, make the column a BIGINT, or use another key"
				.formatted(row.maxId(), size, from, maxEnd);
		}
		if (reason != null) {
			throw new SegmentStoreException(
					"The row of key '%s' in table %s cannot be used: %s".formatted(row.key(), this.table, reason), null,
					true);
		}
		return new Allocation(from, from + size, row.step());
	}

	private static long number(@Nullable String value) {
		try {
			return Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			return NO_NUMBER;
		}
	}

	private static String text(long number) {
		return (number != NO_NUMBER) ? Long.toString(number) : "NULL, too large or not a whole number";
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		// one statement for all keys, so that a hundred keys do not need a hundred
		// commits
		Condition condition = repeat(this::condition);
		String update = "UPDATE %s SET max_id = CASE%s ELSE max_id END WHERE (%s)%s".formatted(this.table,
				" WHEN biz_tag = ? AND max_id = ? THEN ?".repeat(unissued.size()),
				String.join(" OR ", Collections.nCopies(unissued.size(), "(biz_tag = ? AND max_id = ?)")),
				condition.criterion().sql());
		List<Object> arguments = new ArrayList<>();
		unissued.forEach((numbers) -> arguments.addAll(List.of(numbers.key(), numbers.to(), numbers.from())));
		unissued.forEach((numbers) -> arguments.addAll(List.of(numbers.key(), numbers.to())));
		arguments.addAll(condition.arguments());
		return this.connections.execute((jdbc) -> {
			this.connections.requireCommits(jdbc);
			int updated = jdbc.update(update, arguments.toArray());
			return unissued.stream()
				.filter((numbers) -> updated == unissued.size() || (updated > 0 && isAt(jdbc, numbers)))
				.map(Unissued::key)
				.collect(Collectors.toSet());
		});
	}

	private boolean isAt(JdbcTemplate jdbc, Unissued numbers) {
		List<SegmentRow> rows = select(jdbc, List.of(numbers.key()), "");
		return rows.size() == 1 && rows.get(0).maxId() == numbers.from();
	}

	@Override
	public void checkWritable() {
		if (this.failoverGap.isEnabled()) {
			follow();
		}
		// this UPDATE matches no row, but fails if the server is read-only or the user
		// has no right to update
		this.connections.execute((jdbc) -> {
			this.connections.requireCommits(jdbc);
			return jdbc.update("UPDATE %s SET max_id = max_id WHERE biz_tag IS NULL".formatted(this.table));
		});
	}

	@Override
	public List<SegmentRow> findAll() {
		String select = "SELECT biz_tag, max_id, step FROM %s WHERE biz_tag IS NOT NULL".formatted(this.table);
		return this.connections.execute(READ_TIMEOUT, (jdbc) -> jdbc.query(select, ROW));
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		List<String> wanted = keys.stream().filter((key) -> key.indexOf(NUL) < 0).toList();
		if (wanted.isEmpty()) {
			return List.of();
		}
		if (wanted.size() <= MAX_KEYS) {
			try {
				return this.connections.execute((jdbc) -> find(jdbc, wanted));
			}
			catch (SegmentStoreException ex) {
				if (!isNoText(ex)) {
					throw ex;
				}
				if (wanted.size() == 1) {
					return List.of();
				}
			}
		}
		// Either there are too many keys for one statement, or the column cannot hold one
		// of them. In both cases, the list of keys is split, and each half is looked up
		// separately. So a key that the column cannot hold does not prevent the other
		// keys from being found.
		int half = wanted.size() / 2;
		List<SegmentRow> rows = new ArrayList<>(find(wanted.subList(0, half)));
		rows.addAll(find(wanted.subList(half, wanted.size())));
		return rows;
	}

	private List<SegmentRow> find(JdbcTemplate jdbc, List<String> keys) {
		List<SegmentRow> rows = new ArrayList<>(select(jdbc, keys, ""));
		Set<String> missing = new LinkedHashSet<>(keys);
		rows.forEach((row) -> missing.remove(row.key()));
		String lock = target(jdbc).dialect().lock();
		// missing keys are looked up again on the primary server, because a proxy may
		// have read from a replica that lags behind
		if (!missing.isEmpty() && !lock.isEmpty()) {
			rows.addAll(select(jdbc, missing, lock));
		}
		return rows;
	}

	private List<SegmentRow> select(JdbcTemplate jdbc, Collection<String> keys, String lock) {
		String select = "SELECT biz_tag, max_id, step FROM %s WHERE biz_tag IN (%s)%s".formatted(this.table,
				String.join(", ", Collections.nCopies(keys.size(), "?")), lock);
		return jdbc.query(select, ROW, keys.toArray());
	}

	/**
	 * Returns whether a statement failed because the column cannot hold a key. Such a key
	 * is too long, or contains a character that the column's character set lacks. In SQL,
	 * class 22 is "data exception".
	 */
	private static boolean isNoText(SegmentStoreException failure) {
		SQLException ex = JdbcFailures.sqlException(failure);
		return String.valueOf(ex.getSQLState()).startsWith("22") || MYSQL_NO_TEXT.contains(ex.getErrorCode());
	}

	@Override
	public void create(String key, int step, long from) {
		if (key.indexOf(NUL) >= 0) {
			return;
		}
		try {
			repeat(() -> this.connections.execute((jdbc) -> insert(jdbc, key, step, from)));
		}
		catch (SegmentStoreException ex) {
			// The failure is ignored if another process has added the row, or if the
			// column cannot hold the key. In the second case, the caller finds no row for
			// the key.
			if (!(ex.getCause() instanceof DuplicateKeyException) && !isNoText(ex)) {
				throw ex;
			}
		}
	}

	private int insert(JdbcTemplate jdbc, String key, int step, long from) {
		this.connections.requireCommits(jdbc);
		String insert = "INSERT INTO %s (biz_tag, max_id, step) ".formatted(this.table);
		Condition condition = condition();
		List<Object> arguments = new ArrayList<>(List.of(key, this.failoverGap.firstNumber(from), step));
		arguments.addAll(condition.arguments());
		int inserted = jdbc.update(insert + condition.values("?, ?, ?"), arguments.toArray());
		if (inserted == 0) {
			throw new ServerChangedException(this.table);
		}
		return inserted;
	}

	/**
	 * Thrown if the process has not yet found out on which server the counters are
	 * advanced, or if the database has failed over to another server since then.
	 */
	private static final class ServerChangedException extends SegmentStoreException {

		private static final long serialVersionUID = 1L;

		ServerChangedException(TableName table) {
			super("Gave up on changing table %s after %d attempts: each time, another server had become the primary. Check that all connections lead to the same primary server"
				.formatted(table, EXECUTIONS), null, false);
		}

	}

}
