// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import java.util.Set;

import io.leaf.jdbc.OwnConnections;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * How to advance a counter: if possible, with one statement that commits itself and
 * returns the new value.
 */
enum Dialect {

	/**
	 * MySQL and MariaDB. The driver returns the new value as a generated key, but does
	 * not return the row's step. In a session without autocommit, no row is updated.
	 */
	MYSQL("LAST_INSERT_ID(GREATEST(max_id, ?) + ?)", Dialect.COMMITS),

	/**
	 * PostgreSQL and H2. The drivers can return any column of the updated row. For this
	 * purpose, PostgreSQL's driver adds RETURNING to the statement.
	 */
	RETURNING("GREATEST(max_id, ?) + ?", ""),

	/**
	 * Any other database, a table whose columns are not of an integer type, or a driver
	 * that does not return the new value. The counter is read, and then advanced only if
	 * it still has the value that was read.
	 */
	OTHER("", "");

	/**
	 * The condition that the session commits each statement, for an UPDATE on MySQL or
	 * MariaDB. A separate query for {@code @@autocommit} would not be enough, because a
	 * proxy may send that query to another session.
	 */
	static final String COMMITS = " AND @@autocommit = 1";

	/**
	 * Stands for a value that the driver did not return.
	 */
	static final long NOT_RETURNED = 0;

	private static final Set<Integer> INTEGERS = Set.of(Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT);

	private final String update;

	Dialect(String value, String condition) {
		// a row that does not meet the conditions on step and max_id cannot be used. If
		// no row is updated, JdbcSegmentStore finds out why
		this.update = "UPDATE %s SET max_id = " + value
				+ " WHERE biz_tag = ? AND step >= 1 AND max_id >= 0 AND max_id <= ?" + condition;
	}

	/**
	 * Determines how to advance the counters of a table. Costs one round trip.
	 */
	static Target target(JdbcTemplate jdbc, TableName table) {
		Target known = switch (OwnConnections.product(jdbc)) {
			case "MySQL", "MariaDB" -> new Target(MYSQL, 0, true, DatabaseClock.MYSQL);
			case "PostgreSQL", "H2" -> new Target(RETURNING, 0, false, DatabaseClock.STANDARD);
			default -> new Target(OTHER, 0, false, null);
		};
		ResultSetExtractor<Target> extractor = (rows) -> {
			ResultSetMetaData columns = rows.getMetaData();
			// arithmetic on columns of other types could be inexact
			boolean exact = INTEGERS.contains(columns.getColumnType(1)) && INTEGERS.contains(columns.getColumnType(2));
			return new Target(exact ? known.dialect() : OTHER, maxEnd(columns), known.mySql(), known.clock());
		};
		return jdbc.query("SELECT max_id, step FROM %s WHERE 1 = 0".formatted(table), extractor);
	}

	// Returns the largest value to which max_id may be raised. Without strict SQL mode,
	// MySQL and MariaDB reduce a larger value to the maximum of the column's type, and
	// report success.
	private static long maxEnd(ResultSetMetaData columns) throws SQLException {
		long max = switch (columns.getColumnType(1)) {
			// The drivers of MySQL and MariaDB report MEDIUMINT as INTEGER, TINYINT(1) as
			// BIT or BOOLEAN, and FLOAT as REAL. A FLOAT can hold every whole number up
			// to 2^24, but not every larger one.
			case Types.INTEGER ->
				columns.getColumnTypeName(1).startsWith("MEDIUMINT") ? (1 << 23) - 1 : Integer.MAX_VALUE;
			case Types.SMALLINT -> Short.MAX_VALUE;
			case Types.TINYINT, Types.BIT, Types.BOOLEAN -> Byte.MAX_VALUE;
			case Types.REAL -> 1 << 24;
			case Types.DECIMAL, Types.NUMERIC -> {
				int digits = columns.getPrecision(1) - columns.getScale(1);
				yield (digits > 0 && digits < 19) ? (long) Math.pow(10, digits) - 1 : Long.MAX_VALUE;
			}
			default -> Long.MAX_VALUE;
		};
		return Math.min(max, SegmentStore.MAX_END);
	}

	/**
	 * Returns the clause for a SELECT that must read from the primary server. Because of
	 * this clause, a proxy that splits reads and writes does not send the SELECT to a
	 * replica. The clause is empty for {@link #OTHER}.
	 */
	String lock() {
		return (this != OTHER) ? " FOR UPDATE" : "";
	}

	/**
	 * Advances the counter of a key.
	 * @param size how many numbers to allocate
	 * @param floor the smallest number that may be allocated
	 * @param last the largest value that the counter may have before it is advanced
	 * @param criterion a further condition of the statement
	 * @return the updated row, with {@link #NOT_RETURNED} for values that the driver did
	 * not return. The result is empty if no row was updated (the key has no usable row,
	 * or a condition is not met) or if several rows were updated (the column
	 * {@code biz_tag} is not unique)
	 */
	Optional<SegmentRow> advance(JdbcTemplate jdbc, TableName table, String key, long size, long floor, long last,
			Criterion criterion) {
		// the drivers of MySQL and MariaDB ignore the names of the columns to return
		PreparedStatementCreator answering = (connection) -> connection
			.prepareStatement(this.update.formatted(table) + criterion.sql(), new String[] { "max_id", "step" });
		PreparedStatementCallback<Optional<SegmentRow>> execution = (update) -> {
			update.setLong(1, floor);
			update.setLong(2, size);
			update.setString(3, key);
			update.setLong(4, last);
			for (int i = 0; i < criterion.arguments().size(); i++) {
				update.setObject(5 + i, criterion.arguments().get(i));
			}
			if (update.executeUpdate() != 1) {
				return Optional.empty();
			}
			try (ResultSet row = update.getGeneratedKeys()) {
				if (!row.next()) {
					return Optional.of(new SegmentRow(key, NOT_RETURNED, NOT_RETURNED));
				}
				return Optional.of((this == MYSQL) ? new SegmentRow(key, row.getLong(1), NOT_RETURNED)
						: new SegmentRow(key, row.getLong("max_id"), row.getLong("step")));
			}
		};
		return jdbc.execute(answering, execution);
	}

	/**
	 * How to advance the counters of a table.
	 *
	 * @param dialect the kind of statement
	 * @param maxEnd the largest value that a counter may have
	 * @param mySql whether the database is MySQL or MariaDB, whose warnings are ignored.
	 * On other databases, an answer with a warning is not trusted, because PostgreSQL
	 * warns if a commit was not replicated as configured, and a failover could undo such
	 * a commit. MySQL has no such warning, but warns about each statement that is unsafe
	 * for a statement-based binary log
	 * @param clock the clock of the database, or {@code null} if Leaf cannot read that
	 * clock
	 */
	record Target(Dialect dialect, long maxEnd, boolean mySql, @Nullable DatabaseClock clock) {

		/**
		 * Returns how to advance the counters if the driver does not return the new
		 * value.
		 */
		Target withoutAnswers() {
			return new Target(OTHER, this.maxEnd, this.mySql, this.clock);
		}

	}

}
