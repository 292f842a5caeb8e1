// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.test.server.MeituanLeafTransaction;

/**
 * A source of numbers that have no gaps as long as nothing fails. No process keeps
 * numbers in memory. Each source of a database begins at 1.
 */
enum NumberSource {

	/**
	 * A key of the library with the ordering {@code global}.
	 */
	GLOBAL_KEY("key with `ordering: global`"),

	/**
	 * One insert per number into a table that has only the generated key.
	 */
	AUTO_INCREMENT("insert with `AUTO_INCREMENT`"),

	/**
	 * The transaction of Meituan's Leaf with step 1.
	 */
	MEITUAN_LEAF("transaction of Meituan's Leaf");

	private static final String GLOBAL_ROW = "global";

	private static final String MEITUAN_LEAF_ROW = "meituan-leaf";

	private final String title;

	NumberSource(String title) {
		this.title = title;
	}

	/**
	 * Returns the name for the tables.
	 */
	String title() {
		return this.title;
	}

	/**
	 * Creates the rows and the table of all sources.
	 * @param connection a connection to a database with the table {@code leaf_alloc}
	 * @throws SQLException if the database fails
	 */
	static void create(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE numbers (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY)");
			statement.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('%s', 1, 1), ('%s', 1, 1)"
				.formatted(GLOBAL_ROW, MEITUAN_LEAF_ROW));
		}
	}

	/**
	 * Draws a number.
	 * @param generator the generator of {@link #GLOBAL_KEY}
	 * @param pool the connection pool of the other sources
	 * @return the number
	 * @throws SQLException if the database fails
	 */
	long next(SegmentIdGenerator generator, DataSource pool) throws SQLException {
		if (this == GLOBAL_KEY) {
			return generator.nextId(GLOBAL_ROW);
		}
		try (Connection connection = pool.getConnection()) {
			return (this == AUTO_INCREMENT) ? insert(connection)
					: MeituanLeafTransaction.allocate(connection, MEITUAN_LEAF_ROW).maxId() - 1;
		}
	}

	private static long insert(Connection connection) throws SQLException {
		try (PreparedStatement insert = connection.prepareStatement("INSERT INTO numbers VALUES (DEFAULT)",
				Statement.RETURN_GENERATED_KEYS)) {
			insert.executeUpdate();
			try (ResultSet keys = insert.getGeneratedKeys()) {
				keys.next();
				return keys.getLong(1);
			}
		}
	}

}
