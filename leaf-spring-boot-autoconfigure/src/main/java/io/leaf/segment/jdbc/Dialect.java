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
 * How a database advances a counter, in one statement that commits itself and returns the
 * new value.
 */
enum Dialect {

	/**
	 * MySQL and MariaDB: the statement's own answer contains the value, as a generated
	 * key, but not the row's step. A session that does not commit updates no row.
	 */
	MYSQL("LAST_INSERT_ID(GREATEST(max_id, ?) + ?)", Dialect.COMMITS),

	/**
	 * PostgreSQL and H2: their drivers return any column of the row, PostgreSQL's by
	 * RETURNING.
	 */
	RETURNING("GREATEST(max_id, ?) + ?", ""),

	/**
	 * Any other database, or a table whose columns are not of an integer type: there is
	 * no such statement. The counter is read, and then advanced if it still has the value
	 * that was read.
	 */
	OTHER("", "");

	/**
	 * A condition of an UPDATE on MySQL or MariaDB, since a proxy may send a separate
	 * query for it to another session.
	 */
	static final String COMMITS = " AND @@autocommit = 1";

	/**
	 * Stands for a value of a row that the driver did not return.
	 */
	static final long NOT_RETURNED = 0;

	private static final Set<Integer> INTEGERS = Set.of(Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT);

	private final String update;

	Dialect(String value, String condition) {
		// a usable row meets all of these; if no row is updated, the store finds out why
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
			// with other types, arithmetic in the database could round
			boolean exact = INTEGERS.contains(columns.getColumnType(1)) && INTEGERS.contains(columns.getColumnType(2));
			return new Target(exact ? known.dialect() : OTHER, maxEnd(columns), known.mySql(), known.clock());
		};
		return jdbc.query("SELECT max_id, step FROM %s WHERE 1 = 0".formatted(table), extractor);
	}

	// Returns the largest value to which max_id may be raised. Without strict SQL mode,
	// MySQL and MariaDB store the largest value that fits in place of a larger one.
	private static long maxEnd(ResultSetMetaData columns) throws SQLException {
		long max = switch (columns.getColumnType(1)) {
			// MySQL and MariaDB: MEDIUMINT is an INTEGER, TINYINT(1) a BIT or BOOLEAN,
			// and FLOAT a REAL, which holds all whole numbers up to 2^24 only
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
	 * Returns the clause of a SELECT that must read from the primary server, not from a
	 * replica, behind a proxy that splits reads and writes.
	 */
	String lock() {
		return (this != OTHER) ? " FOR UPDATE" : "";
	}

	/**
	 * Advances the counter of a key.
	 * @param last the largest value from which it may be advanced
	 * @param criterion a further condition
	 * @return the updated row, with {@link #NOT_RETURNED} for values that the driver did
	 * not return; empty if there is no usable row, or several since the column is not
	 * unique
	 */
	Optional<SegmentRow> advance(JdbcTemplate jdbc, TableName table, String key, long size, long floor, long last,
			Criterion criterion) {
		// MySQL's and MariaDB's drivers ignore which names are given
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
	 * @param mySql whether the database is MySQL or MariaDB. On others a warning makes an
	 * answer doubtful: PostgreSQL warns if a commit was not replicated as it should have
	 * been, and a failover could undo it. MySQL has no such warning, but warns about each
	 * statement that is unsafe for a statement-based binary log
	 * @param clock the clock of the database, or {@code null} if it is not known
	 */
	record Target(Dialect dialect, long maxEnd, boolean mySql, @Nullable DatabaseClock clock) {

		/**
		 * Returns the same for a driver that does not return values.
		 */
		Target withoutAnswers() {
			return new Target(OTHER, this.maxEnd, this.mySql, this.clock);
		}

	}

}
