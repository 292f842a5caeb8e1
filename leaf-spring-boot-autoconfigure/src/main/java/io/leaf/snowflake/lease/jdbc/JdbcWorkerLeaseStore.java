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

import io.leaf.segment.jdbc.JdbcFailures;
import io.leaf.segment.jdbc.OwnConnections;
import io.leaf.segment.jdbc.TableName;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
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
 * Keeps the registers in the table {@code leaf_worker}, one row for each worker ID of an
 * application. The row of worker ID -1 is no register: it records the layout.
 * <p>
 * A change is one statement that names the version it replaces, or an insertion that the
 * primary key lets succeed once, so the database makes it atomic at every isolation
 * level. An answer with a warning, except on MySQL and MariaDB, is no confirmation. A
 * method called inside a transaction of the caller, JPA's included, uses a connection and
 * a transaction of its own.
 * <p>
 * Safe for use by several threads, one at a time.
 */
public final class JdbcWorkerLeaseStore implements WorkerLeaseStore {

	/**
	 * The table's name where the user gives none.
	 */
	public static final String DEFAULT_TABLE = "leaf_worker";

	/**
	 * How many characters the column {@code name} holds.
	 */
	private static final int MAX_NAME = 128;

	private static final long LAYOUT_ROW = -1;

	private static final String NO_LAYOUT = "none";

	private static final String COLUMNS = "worker_id, version, owner, horizon, host, since, reported, stored_at";

	private static final int MAX_TOLD = 50;

	private static final JdbcFailures.Advice ADVICE = new JdbcFailures.Advice(
			"Grant SELECT, INSERT and UPDATE on the table",
			"Create the table with the script of your database from the folder sql, or set leaf.segment.initialize-schema=always",
			"Give the table the columns name, %s and layout, as in the scripts of the folder sql".formatted(COLUMNS));

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
	 * @param dataSource where the table is
	 * @param database which database that is, as a JDBC URL without credentials says;
	 * {@code null} if it is not known
	 * @param table the name of the table
	 * @param name the {@code leaf.name}, 1 to 128 characters: whose registers these are
	 * @throws IllegalArgumentException if the name is empty or too long
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
			// A claim that is read before it is committed may yet be rolled back. READ
			// COMMITTED would do, but MySQL refuses to write at that level where its log
			// holds statements.
			this.connections = this.committedOnly.get();
			found = look();
		}
		List<String> recorded = found.layout;
		if (recorded.isEmpty()) {
			if (insertLayout(layout, found.clock) && insertLayout(layout, found.clock)) {
				throw noPrimaryKey();
			}
			// ours, or that of a process that was faster
			recorded = execute(this::recordedLayout);
		}
		if (recorded.size() > 1) {
			throw noPrimaryKey();
		}
		if (!recorded.equals(List.of(layout.toString()))) {
			throw new WorkerLeaseStoreException(
					"The layout configured is %s, but table %s records %s for the leaf.name '%s': IDs of the two could be equal. Set leaf.snowflake.layout as recorded. IDs for another purpose may have a layout of their own, under a leaf.name of their own. Only if column layout of its row with worker_id %d holds no layout at all, and no process has another one than this: write this one's into it"
						.formatted(layout, this.table, recorded.isEmpty() ? NO_LAYOUT : recorded.get(0), this.name,
								LAYOUT_ROW),
					null, true);
		}
		this.maxWorkerId = layout.maxWorkerId();
		this.clock = found.clock;
	}

	private boolean insertLayout(SnowflakeLayout layout, String clock) {
		return insert(LAYOUT_ROW, new WorkerLease(WorkerLease.NOBODY, 0, "", 0, 0, 0), layout, clock);
	}

	// without one, nothing keeps two processes from creating the same register
	private WorkerLeaseStoreException noPrimaryKey() {
		return new WorkerLeaseStoreException(
				"Table %s took the row with worker_id %d of leaf.name '%s' twice: it lacks its primary key (name, worker_id), and two processes could get the same worker ID. Delete the rows of that name once no process uses it, and give the table its key, as in the scripts of the folder sql"
					.formatted(this.table, LAYOUT_ROW, this.name),
				null, true);
	}

	// drivers know most of it, so it is one round trip
	private Found look() {
		ConnectionCallback<Integer> askIsolation = Connection::getTransactionIsolation;
		ConnectionCallback<String> askProduct = (connection) -> connection.getMetaData().getDatabaseProductName();
		return execute((jdbc) -> new Found(Objects.requireNonNull(jdbc.execute(askIsolation)),
				clock(JdbcUtils.commonDatabaseName(jdbc.execute(askProduct))), recordedLayout(jdbc)));
	}

	private String clock(@Nullable String product) {
		String clock = clockOf(String.valueOf(product));
		if (clock == null) {
			throw new WorkerLeaseStoreException(
					"Table %s cannot be used: its database is %s, and the supported ones are MySQL, MariaDB, PostgreSQL, H2. See spring.datasource.url or leaf.segment.datasource.url, or set another leaf.snowflake.worker.source"
						.formatted(this.table, product),
					null, true);
		}
		return clock;
	}

	/**
	 * Returns how a database tells its time, in milliseconds since 1970-01-01T00:00:00Z:
	 * an SQL expression whose value depends on no time zone. It may stand still within a
	 * transaction, since ours have one statement each.
	 */
	static @Nullable String clockOf(String product) {
		return switch (product) {
			// not UNIX_TIMESTAMP(NOW(3)): that goes by way of the local time, which in
			// autumn is ambiguous for an hour
			case "MySQL", "MariaDB" -> "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
			case "PostgreSQL" -> "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)";
			case "H2" -> "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)";
			default -> null;
		};
	}

	// empty where there is no row
	private List<String> recordedLayout(JdbcTemplate jdbc) {
		String select = "SELECT COALESCE(layout, '%s') FROM %s WHERE name = ? AND worker_id = %d".formatted(NO_LAYOUT,
				this.table, LAYOUT_ROW);
		return jdbc.queryForList(select, String.class, this.name);
	}

	@Override
	public List<LeaseRegister> readAll() {
		return registers(" ORDER BY worker_id", this.name);
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		List<LeaseRegister> found = registers(" AND worker_id = ?", this.name, workerId);
		return found.isEmpty() ? null : found.get(0);
	}

	private List<LeaseRegister> registers(String condition, Object... arguments) {
		requireOpen();
		String select = "SELECT %s FROM %s WHERE name = ? AND worker_id >= 0%s".formatted(COLUMNS, this.table,
				condition);
		Map<Long, LeaseRegister> registers = new TreeMap<>();
		// only in a table without its primary key may several rows have one worker ID
		execute((jdbc) -> jdbc.query(select, (row, index) -> register(row), arguments))
			.forEach((register) -> registers.merge(register.workerId(), register,
					(before, row) -> new LeaseRegister(row.workerId(), row.lease(), row.storedAt(),
							"several rows have worker_id %d, since the table lacks its primary key (name, worker_id)"
								.formatted(row.workerId()))));
		return List.copyOf(registers.values());
	}

	// A row that no process has written like that yields a register that no process may
	// claim.
	private LeaseRegister register(ResultSet row) throws SQLException {
		List<String> faults = new ArrayList<>();
		long workerId = number(row, "worker_id", this.maxWorkerId, faults);
		long version = number(row, "version", Long.MAX_VALUE - 1, faults);
		WorkerLease lease = new WorkerLease(text(row, "owner", faults),
				number(row, "horizon", WorkerLease.MAX_TIME, faults), text(row, "host", faults),
				number(row, "since", WorkerLease.MAX_TIME, faults),
				number(row, "reported", WorkerLease.MAX_TIME, faults), version);
		long storedAt = number(row, "stored_at", WorkerLease.MAX_TIME, faults);
		return faults.isEmpty() ? new LeaseRegister(workerId, lease, storedAt, null)
				: new LeaseRegister(workerId, lease, null, "its row cannot be used: " + String.join(", ", faults));
	}

	// Not getLong: a table made by hand may have columns of any type, and what a driver
	// cannot convert would hide the other rows, too.
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
			faults.add("%s is '%s', no whole number from 0 to %d".formatted(column,
					text.substring(0, Math.min(text.length(), MAX_TOLD)), max));
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
	public boolean write(long workerId, long version, WorkerLease lease) {
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

	// What was sent twice is no conflict. To see the row is no proof: it may be shown
	// before it is durable everywhere.
	private boolean confirm(long workerId, long version, String clock) {
		String update = "UPDATE %s SET stored_at = %s WHERE name = ? AND worker_id = ? AND version = ?"
			.formatted(this.table, clock);
		return write((jdbc) -> jdbc.update(update, this.name, workerId, version)) == 1;
	}

	private boolean insert(long workerId, WorkerLease lease, @Nullable SnowflakeLayout layout, String clock) {
		String insert = "INSERT INTO %s (name, worker_id, version, owner, horizon, host, since, reported, layout, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, %s)"
			.formatted(this.table, clock);
		try {
			write((jdbc) -> jdbc.update(insert, this.name, workerId, lease.version(), lease.owner(), lease.horizon(),
					lease.host(), lease.since(), lease.reported(), (layout != null) ? layout.toString() : null));
			return true;
		}
		catch (WorkerLeaseStoreException ex) {
			// somebody was faster
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
		// After a conflict any of those that are free: all who start at once try the
		// lowest one first
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
			// PostgreSQL's "committed locally, not replicated" is no confirmation
			jdbc.setIgnoreWarnings(this.connections.warningsAreHarmless(jdbc));
			return work.apply(jdbc);
		});
	}

	private <T> T execute(Function<JdbcTemplate, @Nullable T> work) {
		return Objects.requireNonNull(this.connections.execute(work));
	}

	private String requireOpen() {
		String clock = this.clock;
		Assert.state(clock != null, "open() comes first");
		return clock;
	}

	/**
	 * What there is before anything is done.
	 */
	private record Found(int isolation, String clock, List<String> layout) {

	}

}
