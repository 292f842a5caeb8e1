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

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collections;
import java.util.List;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreatorFactory;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

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
		List<SegmentRow> advance(JdbcTemplate jdbc, TableName table, String key, long size, long floor, long last) {
			PreparedStatementCreatorFactory update = new PreparedStatementCreatorFactory(update(table), Types.BIGINT,
					Types.BIGINT, Types.VARCHAR, Types.BIGINT);
			update.setReturnGeneratedKeys(true);
			KeyHolder keys = new GeneratedKeyHolder();
			int updated = jdbc.update(update.newPreparedStatementCreator(List.of(floor, size, key, last)), keys);
			Number maxId = (updated == 1) ? keys.getKey() : null;
			return Collections.nCopies(updated, new SegmentRow(key, (maxId != null) ? maxId.longValue() : NOT_TOLD, 0));
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
	 * Stands for a {@code max_id} that the driver did not pass on.
	 */
	static final long NOT_TOLD = 0;

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
		Dialect dialect = switch (OwnConnections.product(jdbc)) {
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
		return jdbc.query("SELECT max_id, step FROM %s WHERE 1 = 0".formatted(table), columns);
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
	 * @return the rows that were updated, as they are now: one, or none if there is no
	 * usable row, or several if the column is not unique. A {@code max_id} may be
	 * {@link #NOT_TOLD}, and a step 0
	 */
	List<SegmentRow> advance(JdbcTemplate jdbc, TableName table, String key, long size, long floor, long last) {
		RowMapper<SegmentRow> updated = (rs, index) -> new SegmentRow(key, rs.getLong(1), rs.getLong(2));
		return jdbc.query(update(table), updated, floor, size, key, last);
	}

	String update(TableName table) {
		return this.update.formatted(table);
	}

	/**
	 * How to advance the counters of a table.
	 *
	 * @param dialect in which statement
	 * @param maxEnd the largest value that a counter may have
	 * @param warnings whether a warning casts doubt on an answer. On MySQL none is about
	 * replication, and each statement has some that a statement-based binary log cannot
	 * hold
	 */
	record Target(Dialect dialect, long maxEnd, boolean warnings) {

	}

}
