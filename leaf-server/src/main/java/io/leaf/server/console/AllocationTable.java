// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.util.List;

import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.web.server.ResponseStatusException;

/**
 * Reads the current rows of the table {@code leaf_alloc}. Rows are read only when an
 * operator opens a page, so there is no pool: each read opens a connection of its own.
 */
final class AllocationTable {

	private final JdbcTemplate jdbc;

	private final String select;

	AllocationTable(String url, String username, String password, String table) {
		this.jdbc = new JdbcTemplate(new DriverManagerDataSource(url, username, password));
		this.jdbc.setQueryTimeout(5);
		this.select = "SELECT biz_tag, max_id, step, update_time FROM %s ORDER BY biz_tag".formatted(table);
	}

	/**
	 * Reads all rows.
	 * @return the rows, sorted by key
	 * @throws ResponseStatusException if the database cannot be read
	 */
	List<Row> rows() {
		try {
			return this.jdbc.query(this.select, (result, number) -> new Row(result.getString(1), result.getString(2),
					result.getString(3), result.getString(4)));
		}
		catch (DataAccessException ex) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
					"The table cannot be read: " + ex.getMostSpecificCause().getMessage(), ex);
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
