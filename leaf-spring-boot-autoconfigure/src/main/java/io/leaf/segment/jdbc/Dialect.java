/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.segment.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.leaf.segment.SegmentStore;

import org.springframework.jdbc.SQLWarningException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * How a database advances a counter in one statement that commits itself and answers with
 * the new value.
 */
enum Dialect {

	/**
	 * MySQL and MariaDB: the value comes with the statement's own answer, as the key that
	 * it generated. The row's step does not. A session that does not commit updates no
	 * row.
	 */
	MYSQL("UPDATE %s SET max_id = LAST_INSERT_ID(GREATEST(max_id, ?) + ?) " + Dialect.WHERE + " AND @@autocommit = 1",
			" FOR UPDATE") {

		@Override
		List<Advanced> answer(PreparedStatement update) throws SQLException {
			List<Advanced> rows = new ArrayList<>();
			int updated = update.executeUpdate();
			if (updated == 1) {
				// no look at the warnings: MySQL has some for each statement that a
				// statement-based binary log cannot hold, and none about replication
				try (ResultSet keys = update.getGeneratedKeys()) {
					rows.add(new Advanced(keys.next() ? keys.getLong(1) : Advanced.NOT_TOLD, 0));
				}
			}
			for (int i = rows.size(); i < updated; i++) {
				rows.add(new Advanced(Advanced.NOT_TOLD, 0));
			}
			return rows;
		}

	},

	/**
	 * PostgreSQL.
	 */
	POSTGRESQL("UPDATE %s SET max_id = GREATEST(max_id, ?) + ? " + Dialect.WHERE + " RETURNING max_id, step",
			" FOR UPDATE"),

	/**
	 * H2.
	 */
	H2("SELECT max_id, step FROM FINAL TABLE (UPDATE %s SET max_id = GREATEST(max_id, ?) + ? " + Dialect.WHERE + ")",
			" FOR UPDATE"),

	/**
	 * Any other database, or a table whose numbers are not of an integer type: a counter
	 * is read, and then advanced if it still is what was read.
	 */
	OTHER("", "");

	// what a row must be like; the reason why it is not is looked for only if no row was
	// updated
	private static final String WHERE = "WHERE biz_tag = ? AND step >= 1 AND max_id >= 0 AND max_id <= ?";

	/**
	 * The state of an SQL warning that only notifies, such as PostgreSQL's NOTICE.
	 */
	private static final String NOTICE = "00000";

	private final String update;

	private final String lock;

	Dialect(String update, String lock) {
		this.update = update;
		this.lock = lock;
	}

	/**
	 * Finds out how to advance the counters of a table. Costs one round trip.
	 */
	static Target target(JdbcTemplate jdbc, TableName table) {
		ConnectionCallback<String> product = (connection) -> connection.getMetaData().getDatabaseProductName();
		Dialect dialect = switch (String.valueOf(jdbc.execute(product))) {
			case "MySQL", "MariaDB" -> MYSQL;
			case "PostgreSQL" -> POSTGRESQL;
			case "H2" -> H2;
			default -> OTHER;
		};
		ResultSetExtractor<Target> columns = (rows) -> {
			ResultSetMetaData columnTypes = rows.getMetaData();
			// with other types, arithmetic in the database could round
			boolean exact = isInteger(columnTypes.getColumnType(1)) && isInteger(columnTypes.getColumnType(2));
			return new Target(exact ? dialect : OTHER, maxEnd(columnTypes), dialect != MYSQL);
		};
		return Objects.requireNonNull(jdbc.query("SELECT max_id, step FROM %s WHERE 1 = 0".formatted(table), columns));
	}

	private static boolean isInteger(int type) {
		return type == Types.BIGINT || type == Types.INTEGER || type == Types.SMALLINT || type == Types.TINYINT;
	}

	// beyond it, a session that is not strict would store the largest value that fits
	private static long maxEnd(ResultSetMetaData columns) throws SQLException {
		long max = switch (columns.getColumnType(1)) {
			case Types.INTEGER -> Integer.MAX_VALUE;
			case Types.SMALLINT -> Short.MAX_VALUE;
			case Types.TINYINT -> Byte.MAX_VALUE;
			case Types.DECIMAL, Types.NUMERIC -> {
				int digits = columns.getPrecision(1) - columns.getScale(1);
				yield (digits > 0 && digits < 19) ? (long) Math.pow(10, digits) - 1 : Long.MAX_VALUE;
			}
			default -> Long.MAX_VALUE;
		};
		return Math.min(max, SegmentStore.MAX_END);
	}

	/**
	 * Returns what a SELECT ends with that must read from the server that is written to,
	 * and not from a replica, if a proxy divides reads and writes.
	 */
	String lock() {
		return this.lock;
	}

	/**
	 * Advances the counter of a key.
	 * @param last the largest value from which it may be advanced
	 * @return the rows that were updated: one, or none if there is no usable row, or
	 * several if the column is not unique
	 */
	List<Advanced> advance(JdbcTemplate jdbc, TableName table, String key, long size, long floor, long last) {
		String sql = this.update.formatted(table);
		PreparedStatementCreator statement = (connection) -> (this == MYSQL)
				? connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS) : connection.prepareStatement(sql);
		PreparedStatementCallback<List<Advanced>> execution = (update) -> {
			update.setLong(1, floor);
			update.setLong(2, size);
			update.setString(3, key);
			update.setLong(4, last);
			return answer(update);
		};
		List<Advanced> rows = jdbc.execute(statement, execution);
		return (rows != null) ? rows : List.of();
	}

	List<Advanced> answer(PreparedStatement update) throws SQLException {
		List<Advanced> rows = new ArrayList<>();
		try (ResultSet updated = update.executeQuery()) {
			while (updated.next()) {
				rows.add(new Advanced(updated.getLong(1), updated.getLong(2)));
			}
		}
		requireNoWarning(update);
		return rows;
	}

	/**
	 * Requires that a statement was executed without a warning. PostgreSQL warns if a
	 * commit was not replicated as it should have been: a failover could undo it.
	 */
	static void requireNoWarning(Statement statement) throws SQLException {
		for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
			if (!NOTICE.equals(warning.getSQLState())) {
				throw new SQLWarningException("The database answered with a warning", warning);
			}
		}
	}

	/**
	 * How to advance the counters of a table.
	 *
	 * @param dialect in which statement
	 * @param maxEnd the largest value that a counter may have
	 * @param warnings whether a warning casts doubt on an answer
	 */
	record Target(Dialect dialect, long maxEnd, boolean warnings) {

	}

	/**
	 * A row after the update.
	 *
	 * @param maxId the new value of the counter, or {@link #NOT_TOLD}
	 * @param step the row's step, or 0 if the answer does not include it
	 */
	record Advanced(long maxId, long step) {

		/**
		 * Stands for a value that the driver did not pass on.
		 */
		static final long NOT_TOLD = 0;

	}

}
