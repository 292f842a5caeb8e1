// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.util.List;

import javax.sql.DataSource;

import io.leaf.IdGenerationException;
import io.leaf.jdbc.JdbcFailures;
import io.leaf.jdbc.OwnConnections;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentStoreException;
import io.leaf.server.RequestTurns;

import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.web.server.ResponseStatusException;

/**
 * Reads the current rows of the table {@code leaf_alloc} when an operator opens a page.
 * Requests take {@link RequestTurns turns}, so that any number of open pages occupies at
 * most one of the server's connections.
 */
final class AllocationTable {

	private static final JdbcFailures.Advice ADVICE = new JdbcFailures.Advice("Grant SELECT on the table",
			"Create the table with the script for your database (%s), or name another table with leaf.segment.table"
				.formatted(JdbcFailures.SCRIPTS),
			"Give the table the columns biz_tag, max_id, step and update_time, as in the scripts (%s)"
				.formatted(JdbcFailures.SCRIPTS));

	private static final RowMapper<Row> ROW = (result, number) -> new Row(result.getString(1), result.getString(2),
			result.getString(3), result.getString(4));

	private final OwnConnections connections;

	private final RequestTurns turns;

	private final String select;

	/**
	 * Creates an instance.
	 * @param dataSource the database of the table
	 * @param table the name of the table
	 * @param turns gives each request its turn
	 */
	AllocationTable(DataSource dataSource, TableName table, RequestTurns turns) {
		this.connections = new OwnConnections(dataSource, new JdbcFailures(table, ADVICE, SegmentStoreException::new));
		this.turns = turns;
		this.select = "SELECT biz_tag, max_id, step, update_time FROM %s ORDER BY biz_tag".formatted(table);
	}

	/**
	 * Reads all rows.
	 * @return the rows, sorted by key
	 * @throws ResponseStatusException if the database cannot be read
	 */
	List<Row> rows() {
		try {
			return this.turns.runForRows(() -> this.connections.execute((jdbc) -> jdbc.query(this.select, ROW)));
		}
		catch (IdGenerationException ex) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
					"The table cannot be read: " + ex.getMessage(), ex);
		}
	}

	/**
	 * A row, with the values as the database formats them.
	 *
	 * @param key the key
	 * @param maxId the smallest number not yet allocated
	 * @param step the smallest length of a segment
	 * @param updateTime when the row was last changed
	 */
	record Row(String key, String maxId, String step, String updateTime) {

	}

}
