// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The transaction with which a server of Meituan's Leaf allocates a segment, according to
 * the description of its statements: an update, a select and a commit. The segment is
 * {@code [max_id - step, max_id)}.
 */
public final class MeituanLeafTransaction {

	private MeituanLeafTransaction() {
	}

	/**
	 * Adds the row's step, as Leaf does for the first two segments of a key in a process.
	 * @param connection a connection, whose auto-commit mode is turned off
	 * @param key the key
	 * @return the row after the update
	 * @throws SQLException if a statement fails
	 */
	public static Row allocate(Connection connection, String key) throws SQLException {
		try (PreparedStatement update = connection
			.prepareStatement("UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = ?")) {
			return allocate(connection, update, key);
		}
	}

	/**
	 * Adds a step that the process has chosen.
	 * @param connection a connection, whose auto-commit mode is turned off
	 * @param key the key
	 * @param step the step
	 * @return the row after the update
	 * @throws SQLException if a statement fails
	 */
	public static Row allocate(Connection connection, String key, int step) throws SQLException {
		try (PreparedStatement update = connection
			.prepareStatement("UPDATE leaf_alloc SET max_id = max_id + %d WHERE biz_tag = ?".formatted(step))) {
			return allocate(connection, update, key);
		}
	}

	private static Row allocate(Connection connection, PreparedStatement update, String key) throws SQLException {
		connection.setAutoCommit(false);
		try (PreparedStatement select = connection
			.prepareStatement("SELECT biz_tag, max_id, step FROM leaf_alloc WHERE biz_tag = ?")) {
			update.setString(1, key);
			update.executeUpdate();
			select.setString(1, key);
			Row row;
			try (ResultSet result = select.executeQuery()) {
				result.next();
				row = new Row(result.getLong(2), result.getInt(3));
			}
			connection.commit();
			return row;
		}
	}

	/**
	 * The row after the update.
	 *
	 * @param maxId the first number after the segment
	 * @param step the row's step
	 */
	public record Row(long maxId, int step) {

	}

}
