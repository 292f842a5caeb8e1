// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The transaction in which a deployed Leaf takes a segment, by the description of its
 * statements: an update, a select and a commit; a segment is {@code [max_id - step,
 * max_id)}.
 */
public final class DeployedLeafTransaction {

	private DeployedLeafTransaction() {
	}

	/**
	 * Adds the row's step, as for the first two segments of a key in a process.
	 * @param connection a connection, which does not commit by itself from then on
	 * @param key the key
	 * @return what the row held after the update
	 * @throws SQLException if that fails
	 */
	public static Row allocate(Connection connection, String key) throws SQLException {
		try (PreparedStatement update = connection
			.prepareStatement("UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = ?")) {
			return allocate(connection, update, key);
		}
	}

	/**
	 * Adds a step that the process has chosen.
	 * @param connection a connection, which does not commit by itself from then on
	 * @param key the key
	 * @param step the step
	 * @return what the row held after the update
	 * @throws SQLException if that fails
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
	 * What the row held after the update.
	 *
	 * @param maxId the first number after the segment
	 * @param step the row's step
	 */
	public record Row(long maxId, int step) {

	}

}
