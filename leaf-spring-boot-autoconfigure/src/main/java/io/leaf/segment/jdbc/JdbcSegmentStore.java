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

import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.sql.DataSource;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Keeps the counters in the table {@code leaf_alloc}, one row a key, as Meituan's Leaf
 * does: both may work on the same rows at the same time.
 * <p>
 * A segment is {@code [max_id - step, max_id)} after the update: {@code max_id} is the
 * smallest number not yet allocated. The statements name the columns {@code biz_tag},
 * {@code max_id} and {@code step} only, so the table may have others, provided that they
 * are nullable or have defaults.
 * <p>
 * A counter is read, and then advanced if it still is what was read. Leaf does it in a
 * transaction of an update and a read, which locks the row between the two: a process
 * that is paused there keeps the others from the row until it runs again. One statement
 * that commits itself does not.
 * <p>
 * Safe for use by any number of threads. A method called inside a transaction of the
 * caller, JPA's included, uses a connection of its own. That connection commits each
 * statement.
 */
public final class JdbcSegmentStore implements SegmentStore {

	/**
	 * How often to try to be the one who advances a counter. Whenever that fails, another
	 * process has advanced it, so some process always gets on.
	 */
	private static final int ATTEMPTS = 100;

	/**
	 * Stands for a value that is {@code NULL}, or no whole number, or larger than any.
	 */
	private static final long NO_NUMBER = Long.MIN_VALUE;

	// one bad row must not make all of them unreadable
	private static final RowMapper<SegmentRow> ROW = (rs, index) -> new SegmentRow(rs.getString(1),
			number(rs.getString(2)), number(rs.getString(3)));

	private static final JdbcFailures.Advice ADVICE = new JdbcFailures.Advice(
			"Grant SELECT and UPDATE (INSERT, too, for leaf.segment.auto-create.enabled=true)",
			"Create it with the script of your database from the folder sql, or set leaf.segment.initialize-schema=always, or name another table with leaf.segment.table",
			"It must have the columns biz_tag, max_id and step; or name another table with leaf.segment.table");

	private final TableName table;

	private final OwnConnections connections;

	/**
	 * Creates a store.
	 * @param dataSource where the table is
	 * @param table the name of the table
	 */
	public JdbcSegmentStore(DataSource dataSource, TableName table) {
		this.table = table;
		this.connections = new OwnConnections(dataSource, new JdbcFailures(table, ADVICE, SegmentStoreException::new));
	}

	@Override
	public @Nullable Allocation allocate(String key, long size) {
		return this.connections.execute((jdbc) -> {
			for (int i = 0; i < ATTEMPTS; i++) {
				List<SegmentRow> rows = select(jdbc, key);
				if (rows.isEmpty()) {
					return null;
				}
				Allocation allocation = allocation(rows, size);
				if (set(jdbc, key, allocation.from(), allocation.to())) {
					return allocation;
				}
			}
			throw new SegmentStoreException(
					"Others have advanced the row of key '%s' in table %s each of the %d times that this process was about to"
						.formatted(key, this.table, ATTEMPTS),
					null, false);
		});
	}

	private Allocation allocation(List<SegmentRow> rows, long size) {
		SegmentRow row = rows.get(0);
		if (rows.size() > 1) {
			throw refusal(row,
					"there are %d rows with this biz_tag. Remove all but the one with the largest max_id, and make the column unique"
						.formatted(rows.size()));
		}
		if (row.step() < 1) {
			throw refusal(row,
					"its step is %s. It must be 1 or more: UPDATE %s SET step = 1000 WHERE biz_tag = '%s'".formatted(
							(row.step() != NO_NUMBER) ? row.step() : "no whole number", this.table,
							row.key().replace("'", "''")));
		}
		if (row.maxId() == NO_NUMBER) {
			throw refusal(row,
					"its max_id is no whole number. Set it to the smallest number that has not been issued yet");
		}
		if (row.maxId() < 0) {
			throw refusal(row,
					"its max_id is %d. It must be 0 or more, since IDs are never negative".formatted(row.maxId()));
		}
		if (row.maxId() > MAX_END - size) {
			throw refusal(row, "its max_id is %d, and %d more would pass %d, the largest number issued"
				.formatted(row.maxId(), size, MAX_END));
		}
		return new Allocation(row.maxId(), row.maxId() + size, row.step());
	}

	/**
	 * Sets a counter, if and only if it is what it was.
	 */
	private boolean set(JdbcTemplate jdbc, String key, long from, long to) {
		return jdbc.update("UPDATE %s SET max_id = ? WHERE biz_tag = ? AND max_id = ?".formatted(this.table), to, key,
				from) == 1;
	}

	private static long number(@Nullable String value) {
		try {
			return Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			return NO_NUMBER;
		}
	}

	private SegmentStoreException refusal(SegmentRow row, String reason) {
		return new SegmentStoreException(
				"The row of key '%s' in table %s cannot be used: %s".formatted(row.key(), this.table, reason), null,
				true);
	}

	@Override
	public void raise(String key, long floor) {
		String update = "UPDATE %s SET max_id = ? WHERE biz_tag = ? AND max_id < ?".formatted(this.table);
		this.connections.execute((jdbc) -> jdbc.update(update, floor, key, floor));
	}

	@Override
	public boolean giveBack(String key, long from, long to) {
		return Boolean.TRUE.equals(this.connections.execute((jdbc) -> set(jdbc, key, to, from)));
	}

	@Override
	public List<SegmentRow> findAll() {
		String select = "SELECT biz_tag, max_id, step FROM %s WHERE biz_tag IS NOT NULL".formatted(this.table);
		List<SegmentRow> rows = this.connections.execute((jdbc) -> jdbc.query(select, ROW));
		return (rows != null) ? rows : List.of();
	}

	@Override
	public @Nullable SegmentRow find(String key) {
		try {
			return this.connections.execute((jdbc) -> {
				List<SegmentRow> rows = select(jdbc, key);
				for (SegmentRow row : rows) {
					if (row.key().equals(key)) {
						return row;
					}
				}
				// half a character, which drivers send as '?', is no key of any row
				if (!rows.isEmpty() && StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
					throw equated(key, rows.get(0).key());
				}
				return null;
			});
		}
		catch (SegmentStoreException ex) {
			// PostgreSQL can have no text with a NUL, and so no such row
			if (ex.getCause() instanceof DataIntegrityViolationException) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Refuses a key that the collation of the column equates with that of another row, as
	 * most collations of MySQL and MariaDB do with 'Order' and 'order', and those that
	 * pad with 'order ' and 'order'. A row of its own would violate the primary key.
	 */
	private SegmentStoreException equated(String key, String present) {
		return new SegmentStoreException(
				"Key '%s' cannot have a row in table %s: the collation of column biz_tag equates it with the row of key '%s'. Use that key; or, to tell keys apart by letter case and accents, give the column a binary collation: ALTER TABLE %2$s MODIFY biz_tag VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT ''"
					.formatted(key, this.table, present),
				null, true);
	}

	private List<SegmentRow> select(JdbcTemplate jdbc, String key) {
		return jdbc.query("SELECT biz_tag, max_id, step FROM %s WHERE biz_tag = ?".formatted(this.table), ROW, key);
	}

	@Override
	public void create(String key, int step, long from) {
		String insert = "INSERT INTO %s (biz_tag, max_id, step) VALUES (?, ?, ?)".formatted(this.table);
		try {
			this.connections.execute((jdbc) -> jdbc.update(insert, key, from, step));
		}
		catch (SegmentStoreException ex) {
			// somebody was faster
			if (!(ex.getCause() instanceof DuplicateKeyException)) {
				throw ex;
			}
		}
	}

}
