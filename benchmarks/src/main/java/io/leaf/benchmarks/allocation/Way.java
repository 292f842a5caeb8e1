// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import io.leaf.test.server.DeployedLeafTransaction;

/**
 * A way to take a block from a row.
 */
enum Way {

	/**
	 * What a deployed Leaf does: an update, a select and a commit.
	 */
	DEPLOYED_LEAF,

	/**
	 * What the library does.
	 */
	LIBRARY,

	/**
	 * The least that a database can be asked for: one statement, which commits itself.
	 */
	STATEMENT;

	/**
	 * How many numbers a block has, and the step of the rows.
	 */
	static final int STEP = 1000;

	/**
	 * Takes a block.
	 * @param allocator who takes it
	 * @param key the key of the row
	 * @return the block taken
	 * @throws SQLException if the database refuses, or cannot be reached
	 */
	Block take(Allocator allocator, String key) throws SQLException {
		return switch (this) {
			case DEPLOYED_LEAF -> endingAt(DeployedLeafTransaction.allocate(allocator.connection(), key).maxId());
			case LIBRARY -> allocator.allocate(key);
			case STATEMENT -> endingAt(allocator.isPostgreSql() ? returning(allocator.connection(), key)
					: key(allocator.connection(), key));
		};
	}

	private static Block endingAt(long end) {
		return new Block(end - STEP, end);
	}

	private static long returning(Connection connection, String key) throws SQLException {
		try (PreparedStatement update = connection
			.prepareStatement("UPDATE leaf_alloc SET max_id = max_id + ? WHERE biz_tag = ? RETURNING max_id")) {
			update.setLong(1, STEP);
			update.setString(2, key);
			try (ResultSet result = update.executeQuery()) {
				result.next();
				return result.getLong(1);
			}
		}
	}

	private static long key(Connection connection, String key) throws SQLException {
		try (PreparedStatement update = connection.prepareStatement(
				"UPDATE leaf_alloc SET max_id = LAST_INSERT_ID(max_id + ?) WHERE biz_tag = ?",
				Statement.RETURN_GENERATED_KEYS)) {
			update.setLong(1, STEP);
			update.setString(2, key);
			update.executeUpdate();
			try (ResultSet result = update.getGeneratedKeys()) {
				result.next();
				return result.getLong(1);
			}
		}
	}

}
