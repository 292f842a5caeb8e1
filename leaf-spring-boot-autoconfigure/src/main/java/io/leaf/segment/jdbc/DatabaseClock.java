// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;

import io.leaf.segment.SegmentStore.Window;

/**
 * The clock of a database. It shows the time at which a statement began, and does not
 * depend on the time zone of the session.
 */
enum DatabaseClock {

	/**
	 * MySQL and MariaDB. Times are exchanged as text, because drivers may convert values
	 * of other types to another time zone.
	 */
	MYSQL("UTC_TIMESTAMP(6)", "CAST(? AS DATETIME(6))", "CAST(UTC_TIMESTAMP(6) AS CHAR)") {

		@Override
		Object argument(Instant time) {
			return TEXT.format(time.atOffset(ZoneOffset.UTC));
		}

		@Override
		Instant read(ResultSet row, int column) throws SQLException {
			return LocalDateTime.parse(row.getString(column), TEXT).toInstant(ZoneOffset.UTC);
		}

	},

	/**
	 * PostgreSQL and H2.
	 */
	STANDARD("CURRENT_TIMESTAMP", "?", "CURRENT_TIMESTAMP") {

		@Override
		Object argument(Instant time) {
			return time.atOffset(ZoneOffset.UTC);
		}

		@Override
		Instant read(ResultSet row, int column) throws SQLException {
			return row.getObject(column, OffsetDateTime.class).toInstant();
		}

	};

	private static final DateTimeFormatter TEXT = new DateTimeFormatterBuilder().appendPattern("uuuu-MM-dd HH:mm:ss")
		.appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
		.toFormatter(Locale.ROOT);

	private final String within;

	private final String notAfter;

	private final String column;

	DatabaseClock(String time, String argument, String column) {
		this.within = " AND %1$s >= %2$s AND %1$s < %2$s".formatted(time, argument);
		this.notAfter = " AND %s <= %s".formatted(time, argument);
		this.column = column;
	}

	/**
	 * Returns the SQL expression for the time. {@link #read} reads the value of this
	 * expression.
	 */
	String column() {
		return this.column;
	}

	abstract Object argument(Instant time);

	abstract Instant read(ResultSet row, int column) throws SQLException;

	/**
	 * Returns the condition that the clock shows a time within a window.
	 */
	Criterion within(Window window) {
		return new Criterion(this.within, List.of(argument(window.since()), argument(window.until())));
	}

	/**
	 * Returns the condition that the clock does not show a time after the given one.
	 */
	Criterion notAfter(Instant time) {
		return new Criterion(this.notAfter, List.of(argument(time)));
	}

}
