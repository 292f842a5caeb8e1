// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.jdbc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.leaf.jdbc.JdbcFailures;
import io.leaf.jdbc.OwnConnections;
import io.leaf.jdbc.TableName;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.util.Assert;

/**
 * Keeps the lease records in the table {@code leaf_worker}, with one row for each worker
 * ID of an application. One more row of the application, with worker ID -1, holds the
 * layout instead of a lease record.
 * <p>
 * Each change is a single statement and therefore atomic at every isolation level. The
 * statement is either an UPDATE whose condition is the version to be replaced, or an
 * INSERT, which the primary key allows only once per worker ID. A write that the database
 * answers with a warning counts as failed, except on MySQL and MariaDB. If the caller of
 * a method has a transaction, including a JPA transaction, the method does not join the
 * transaction, but uses its own connection and transaction.
 * <p>
 * This class is thread-safe.
 */
public final class JdbcWorkerLeaseStore implements WorkerLeaseStore {

	/**
	 * The default name of the table.
	 */
	public static final String DEFAULT_TABLE = "leaf_worker";

	private static final int MAX_NAME = 128;

	private static final long LAYOUT_ROW = -1;

	private static final String NO_LAYOUT = "none";

	private static final String COLUMNS = "worker_id, version, owner, horizon, host, since, reported, stored_at";

	private static final int MAX_QUOTED = 50;

	private static final JdbcFailures.Advice ADVICE = new JdbcFailures.Advice(
			"Grant SELECT, INSERT and UPDATE on the table",
			"Create the table with the script for your database (%s), or set leaf.segment.initialize-schema=always"
				.formatted(JdbcFailures.SCRIPTS),
			"Give the table the columns name, %s and layout, as in the scripts (%s)".formatted(COLUMNS,
					JdbcFailures.SCRIPTS));

	private final @Nullable String database;

	private final TableName table;

	private final String name;

	private final Supplier<OwnConnections> committedOnly;

	private volatile OwnConnections connections;

	private volatile @Nullable String clock;

	private volatile long maxWorkerId;

	private volatile boolean contended;

	/**
	 * Creates a store.
	 * @param dataSource connects to the database of the table
	 * @param database a JDBC URL without credentials that identifies the database, or
	 * {@code null} if the URL is not known
	 * @param table the name of the table
	 * @param name the {@code leaf.name} to which the lease records belong, 1 to 128
	 * characters
	 * @throws IllegalArgumentException if the {@code leaf.name} is empty or too long
	 */
	public JdbcWorkerLeaseStore(DataSource dataSource, @Nullable String database, TableName table, String name) {
		if (name.isEmpty() || name.length() > MAX_NAME) {
			throw new IllegalArgumentException(
					"leaf.name must have 1 to %d characters: '%s'".formatted(MAX_NAME, name));
		}
		this.database = database;
		this.table = table;
		this.name = name;
		JdbcFailures failures = new JdbcFailures(table, ADVICE, WorkerLeaseStoreException::new);
		this.connections = new OwnConnections(dataSource, failures);
		this.committedOnly = () -> new OwnConnections(dataSource, failures,
				TransactionDefinition.ISOLATION_REPEATABLE_READ);
	}

	@Override
	public String source() {
		return "jdbc";
	}

	@Override
	public @Nullable String identity() {
		return (this.database != null) ? "%s, table %s".formatted(this.database, this.table) : null;
	}

	@Override
	public void open(SnowflakeLayout layout) {
		Found found = look();
		if (found.isolation == Connection.TRANSACTION_READ_UNCOMMITTED) {
			// At READ UNCOMMITTED, the store could read a claim that is rolled back
			// later, so it uses REPEATABLE READ instead. READ COMMITTED would be
			// sufficient, but with binlog_format=STATEMENT, MySQL refuses to write at
			// that level.
			this.connections = this.committedOnly.get();
			found = look();
		}
		List<String> recorded = found.layout;
		if (recorded.isEmpty()) {
			// the second insert succeeds only if the primary key is missing
			if (insertLayout(layout, found.clock) && insertLayout(layout, found.clock)) {
				throw noPrimaryKey();
			}
			// either the layout inserted above, or a layout that another process inserted
			// before
			recorded = execute(this::recordedLayout);
		}
		if (recorded.size() > 1) {
			throw noPrimaryKey();
		}
		if (!recorded.equals(List.of(layout.toString()))) {
			throw new WorkerLeaseStoreException(
					"The configured layout is %s, but table %s records %s for the leaf.name '%s', and the two layouts could produce equal IDs. Set leaf.snowflake.layout.* to the recorded layout, or choose another leaf.name if the IDs are for another purpose. If the recorded text is not a layout, and all processes use the layout of this process, write that layout into the column layout of the row with worker_id %d instead"
						.formatted(layout, this.table, recorded.isEmpty() ? NO_LAYOUT : recorded.get(0), this.name,
								LAYOUT_ROW),
					null, true);
		}
		this.maxWorkerId = layout.maxWorkerId();
		this.clock = found.clock;
	}

	private boolean insertLayout(SnowflakeLayout layout, String clock) {
		return insert(LAYOUT_ROW, new Lease(Lease.NO_OWNER, 0, "", 0, 0, 0), layout, clock);
	}

	// without the primary key, two processes could create the same lease record
	private WorkerLeaseStoreException noPrimaryKey() {
		return new WorkerLeaseStoreException(
				"Table %s contains more than one row with worker_id %d for the leaf.name '%s', because the primary key (name, worker_id) of the table is missing, so two processes could get the same worker ID. Once no process uses that leaf.name, delete the rows of that leaf.name and add the primary key, as in the scripts (%s)"
					.formatted(this.table, LAYOUT_ROW, this.name, JdbcFailures.SCRIPTS),
				null, true);
	}

	// Reads everything on one connection. The only query is for the layout, but some
	// drivers also send a request to the server to find the isolation level.
	private Found look() {
		ConnectionCallback<Integer> askIsolation = Connection::getTransactionIsolation;
		return execute((jdbc) -> new Found(Objects.requireNonNull(jdbc.execute(askIsolation)),
				clock(JdbcUtils.commonDatabaseName(OwnConnections.product(jdbc))), recordedLayout(jdbc)));
	}

	private String clock(@Nullable String product) {
		String clock = clockOf(String.valueOf(product));
		if (clock == null) {
			throw new WorkerLeaseStoreException(
					"Table %s cannot be used, because its database is %s, and only MySQL, MariaDB, PostgreSQL and H2 are supported. Check spring.datasource.url or leaf.segment.datasource.url, or set another leaf.snowflake.worker.source"
						.formatted(this.table, product),
					null, true);
		}
		return clock;
	}

	/**
	 * Returns the SQL expression for the time of a database in milliseconds since
	 * 1970-01-01T00:00:00Z, or {@code null} if the database is not supported. The value
	 * of the expression does not depend on a time zone. A database may return the same
	 * value throughout a transaction. This is harmless, because each transaction of this
	 * class reads the time in at most one statement.
	 */
	static @Nullable String clockOf(String product) {
		return switch (product) {
			// UNIX_TIMESTAMP(NOW(3)) is not used, because it converts the local time,
			// which is ambiguous for an hour when daylight saving time ends
			case "MySQL", "MariaDB" -> "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
			case "PostgreSQL" -> "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)";
			case "H2" -> "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)";
			default -> null;
		};
	}

	// returns an empty list if there is no row
	private List<String> recordedLayout(JdbcTemplate jdbc) {
		String select = "SELECT COALESCE(layout, '%s') FROM %s WHERE name = ? AND worker_id = %s".formatted(NO_LAYOUT,
				this.table, LAYOUT_ROW);
		return jdbc.queryForList(select, String.class, this.name);
	}

	@Override
	public List<LeaseRecord> readAll() {
		return records(" ORDER BY worker_id", this.name);
	}

	@Override
	public @Nullable LeaseRecord read(long workerId) {
		List<LeaseRecord> found = records(" AND worker_id = ?", this.name, workerId);
		return found.isEmpty() ? null : found.get(0);
	}

	private List<LeaseRecord> records(String condition, Object... arguments) {
		requireOpen();
		String select = "SELECT %s FROM %s WHERE name = ? AND worker_id >= 0%s".formatted(COLUMNS, this.table,
				condition);
		Map<Long, LeaseRecord> records = new TreeMap<>();
		// several rows can have the same worker ID only if the table lacks its primary
		// key
		execute((jdbc) -> jdbc.query(select, (row, index) -> record(row), arguments)).forEach((record) -> records
			.merge(record.workerId(), record, (before, row) -> new LeaseRecord(row.workerId(), row.lease(),
					row.storedAt(),
					"several rows have worker_id %d, because the primary key (name, worker_id) of the table is missing"
						.formatted(row.workerId()))));
		return List.copyOf(records.values());
	}

	// If a row has values that no process can have written, the returned lease record is
	// marked so that no process claims it.
	private LeaseRecord record(ResultSet row) throws SQLException {
		List<String> faults = new ArrayList<>();
		long workerId = number(row, "worker_id", this.maxWorkerId, faults);
		long version = number(row, "version", Long.MAX_VALUE - 1, faults);
		Lease lease = new Lease(text(row, "owner", faults), number(row, "horizon", Lease.MAX_TIME, faults),
				text(row, "host", faults), number(row, "since", Lease.MAX_TIME, faults),
				number(row, "reported", Lease.MAX_TIME, faults), version);
		long storedAt = number(row, "stored_at", Lease.MAX_TIME, faults);
		return faults.isEmpty() ? new LeaseRecord(workerId, lease, storedAt, null)
				: new LeaseRecord(workerId, lease, null, "its row cannot be used: " + String.join(", ", faults));
	}

	// getLong is not used, because a table that was created manually may have columns of
	// any type. If the driver could not convert one value, getLong would fail, and the
	// other rows could not be read either.
	private static long number(ResultSet row, String column, long max, List<String> faults) throws SQLException {
		@Nullable Object value = row.getObject(column);
		if (value == null) {
			faults.add(column + " is NULL");
			return 0;
		}
		String text = value.toString();
		try {
			long number = new BigDecimal(text).longValueExact();
			if (number < 0 || number > max) {
				faults.add("%s is %d, but must be from 0 to %d".formatted(column, number, max));
			}
			return number;
		}
		catch (ArithmeticException | NumberFormatException ex) {
			faults.add("%s is '%s', which is not a whole number from 0 to %d".formatted(column,
					text.substring(0, Math.min(text.length(), MAX_QUOTED)), max));
			return 0;
		}
	}

	private static String text(ResultSet row, String column, List<String> faults) throws SQLException {
		@Nullable String value = row.getString(column);
		if (value == null) {
			faults.add(column + " is NULL");
			return "NULL";
		}
		return value;
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		String clock = requireOpen();
		if (version == ABSENT) {
			boolean created = insert(workerId, lease, null, clock);
			this.contended = !created;
			return created || confirm(workerId, lease.version(), clock);
		}
		String update = "UPDATE %s SET version = ?, owner = ?, horizon = ?, host = ?, since = ?, reported = ?, stored_at = %s WHERE name = ? AND worker_id = ? AND version = ?"
			.formatted(this.table, clock);
		int updated = write((jdbc) -> jdbc.update(update, lease.version(), lease.owner(), lease.horizon(), lease.host(),
				lease.since(), lease.reported(), this.name, workerId, version));
		return updated == 1 || confirm(workerId, lease.version(), clock);
	}

	// Returns whether the row already has the version that the write was to store. In
	// this case the same write was executed before, so there is no conflict. This method
	// updates the row instead of reading it, because a version that can be read may not
	// be durable yet.
	private boolean confirm(long workerId, long version, String clock) {
		String update = "UPDATE %s SET stored_at = %s WHERE name = ? AND worker_id = ? AND version = ?"
			.formatted(this.table, clock);
		return write((jdbc) -> jdbc.update(update, this.name, workerId, version)) == 1;
	}

	private boolean insert(long workerId, Lease lease, @Nullable SnowflakeLayout layout, String clock) {
		String insert = "INSERT INTO %s (name, worker_id, version, owner, horizon, host, since, reported, layout, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, %s)"
			.formatted(this.table, clock);
		try {
			write((jdbc) -> jdbc.update(insert, this.name, workerId, lease.version(), lease.owner(), lease.horizon(),
					lease.host(), lease.since(), lease.reported(), (layout != null) ? layout.toString() : null));
			return true;
		}
		catch (WorkerLeaseStoreException ex) {
			// the row already exists
			if (ex.getCause() instanceof DuplicateKeyException) {
				return false;
			}
			throw ex;
		}
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		requireOpen();
		String select = "SELECT worker_id FROM %s WHERE name = ? AND worker_id BETWEEN 0 AND ?".formatted(this.table);
		Set<Long> taken = new HashSet<>(except);
		taken.addAll(execute((jdbc) -> jdbc.queryForList(select, Long.class, this.name, this.maxWorkerId)));
		if (taken.size() > this.maxWorkerId) {
			return OptionalLong.empty();
		}
		// Processes that start at the same time all try the lowest free worker ID first.
		// After a conflict, the search therefore begins at a random worker ID.
		long candidate = this.contended ? ThreadLocalRandom.current().nextLong(this.maxWorkerId + 1) : 0;
		while (taken.contains(candidate)) {
			candidate = (candidate + 1) % (this.maxWorkerId + 1);
		}
		return OptionalLong.of(candidate);
	}

	@Override
	public OptionalLong currentTime() {
		String select = "SELECT " + requireOpen();
		return OptionalLong.of(execute((jdbc) -> jdbc.queryForObject(select, Long.class)));
	}

	/**
	 * Does nothing, because the connections belong to the {@code DataSource}.
	 */
	@Override
	public void close() {
	}

	private int write(Function<JdbcTemplate, Integer> work) {
		return execute((jdbc) -> {
			this.connections.requireCommits(jdbc);
			// Except on MySQL and MariaDB, a write that the database answers with a
			// warning counts as failed. For example, PostgreSQL issues a warning if it is
			// not certain that a commit was replicated.
			jdbc.setIgnoreWarnings(this.connections.warningsAreHarmless(jdbc));
			return work.apply(jdbc);
		});
	}

	private <T> T execute(Function<JdbcTemplate, @Nullable T> work) {
		return Objects.requireNonNull(this.connections.execute(work));
	}

	private String requireOpen() {
		String clock = this.clock;
		Assert.state(clock != null, "open() must be called first");
		return clock;
	}

	/**
	 * What {@link #open} finds in the database: the isolation level of the connections,
	 * the SQL expression for the time, and the recorded layouts. Normally one layout is
	 * recorded. The list is empty until the first process has recorded its layout, and
	 * can contain more than one layout only if the table has no primary key.
	 */
	private record Found(int isolation, String clock, List<String> layout) {

	}

}
