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
 * Keeps the lease records in the table {@code leaf_worker}, one row for each worker ID of
 * an application. The row of worker ID -1 is not a lease record: it holds the layout.
 * <p>
 * A change is one UPDATE that names the version it replaces, or one INSERT that the
 * primary key allows only once, so it is atomic at every isolation level. If the database
 * answers a write with a warning, the write is not confirmed, except on MySQL and
 * MariaDB. A method that is called inside a transaction of the caller, including one of
 * JPA, uses a connection and a transaction of its own.
 * <p>
 * Safe for use by any number of threads.
 */
public final class JdbcWorkerLeaseStore implements WorkerLeaseStore {

	/**
	 * The table's default name.
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
	 * @param database a JDBC URL without credentials that identifies the database; {@code
	 * null} if it is not known
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
			// A claim that is read before it is committed may still be rolled back. READ
			// COMMITTED would be enough, but MySQL refuses to write at that level
			// with binlog_format=STATEMENT.
			this.connections = this.committedOnly.get();
			found = look();
		}
		List<String> recorded = found.layout;
		if (recorded.isEmpty()) {
			if (insertLayout(layout, found.clock) && insertLayout(layout, found.clock)) {
				throw noPrimaryKey();
			}
			// the layout inserted above, or the one that another process inserted first
			recorded = execute(this::recordedLayout);
		}
		if (recorded.size() > 1) {
			throw noPrimaryKey();
		}
		if (!recorded.equals(List.of(layout.toString()))) {
			throw new WorkerLeaseStoreException(
					"The configured layout is %s, but table %s records %s for the leaf.name '%s': the two layouts could produce equal IDs. Set leaf.snowflake.layout.* to the recorded layout. IDs for another purpose may have their own layout, under their own leaf.name. If the column layout of the row with worker_id %d does not contain a layout, and all processes use the layout of this process, write that layout into the column instead"
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

	// without a primary key, two processes could create the same lease record
	private WorkerLeaseStoreException noPrimaryKey() {
		return new WorkerLeaseStoreException(
				"Table %s accepted the row with worker_id %d of leaf.name '%s' twice: its primary key (name, worker_id) is missing, so two processes could get the same worker ID. Once no process uses that leaf.name, delete its rows and add the primary key, as in the scripts (%s)"
					.formatted(this.table, LAYOUT_ROW, this.name, JdbcFailures.SCRIPTS),
				null, true);
	}

	// reads all on one connection: the isolation level as well, because some drivers ask
	// the server for it
	private Found look() {
		ConnectionCallback<Integer> askIsolation = Connection::getTransactionIsolation;
		return execute((jdbc) -> new Found(Objects.requireNonNull(jdbc.execute(askIsolation)),
				clock(JdbcUtils.commonDatabaseName(OwnConnections.product(jdbc))), recordedLayout(jdbc)));
	}

	private String clock(@Nullable String product) {
		String clock = clockOf(String.valueOf(product));
		if (clock == null) {
			throw new WorkerLeaseStoreException(
					"Table %s cannot be used: its database is %s, and the supported databases are MySQL, MariaDB, PostgreSQL, H2. Check spring.datasource.url or leaf.segment.datasource.url, or set another leaf.snowflake.worker.source"
						.formatted(this.table, product),
					null, true);
		}
		return clock;
	}

	/**
	 * Returns the SQL expression for the time of a database in milliseconds since
	 * 1970-01-01T00:00:00Z, or {@code null} if the database is not supported. The value
	 * does not depend on a time zone. Within a transaction it may stay the same, which
	 * does no harm: no transaction of this class reads the time in more than one
	 * statement.
	 */
	static @Nullable String clockOf(String product) {
		return switch (product) {
			// not UNIX_TIMESTAMP(NOW(3)): it converts the local time, which is ambiguous
			// for an hour when daylight saving time ends
			case "MySQL", "MariaDB" -> "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
			case "PostgreSQL" -> "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)";
			case "H2" -> "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)";
			default -> null;
		};
	}

	// empty if there is no row
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

	// A row with values that no process can have written yields a lease record that no
	// process may claim.
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

	// Not getLong: a table that was created by hand may have columns of any type, and one
	// value that the driver cannot convert would make the other rows unreadable as well.
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
				faults.add("%s is %d, not from 0 to %d".formatted(column, number, max));
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

	// Returns whether the row already has the version that the write was to store. Then
	// the statement was sent twice, and there is no conflict. The row is updated rather
	// than read, because a version that can be read may not be durable yet.
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
			// another process has inserted the row first
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
		// After a conflict, begin the search at a random worker ID: processes that start
		// at the same time all try the lowest free worker ID first.
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
	 * Does nothing: the connections belong to the {@code DataSource}.
	 */
	@Override
	public void close() {
	}

	private int write(Function<JdbcTemplate, Integer> work) {
		return execute((jdbc) -> {
			this.connections.requireCommits(jdbc);
			// a warning such as PostgreSQL's about a commit that was not replicated must
			// fail the write
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
	 * What the store finds in the database when it is opened: the isolation level of the
	 * connections, the SQL expression for the time, and the recorded layout, which is an
	 * empty list if there is none.
	 */
	private record Found(int isolation, String clock, List<String> layout) {

	}

}
