// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import io.leaf.test.server.MeituanLeafTransaction;

/**
 * A method of allocating a segment from a row.
 */
enum AllocationMethod {

	/**
	 * The transaction of Meituan's Leaf: an update, a select and a commit.
	 */
	MEITUAN_LEAF,

	/**
	 * The store of the library.
	 */
	LIBRARY,

	/**
	 * The minimum of work for a database: one statement with autocommit.
	 */
	STATEMENT;

	/**
	 * The length of a segment, and the step of the rows.
	 */
	static final int STEP = 1000;

	/**
	 * Allocates a segment.
	 * @param allocator the allocator with its connection
	 * @param key the key of the row
	 * @return the segment
	 * @throws SQLException if the database fails or is unreachable
	 */
	AllocatedSegment allocate(Allocator allocator, String key) throws SQLException {
		return switch (this) {
			case MEITUAN_LEAF -> endingAt(MeituanLeafTransaction.allocate(allocator.connection(), key).maxId());
			case LIBRARY -> allocator.allocate(key);
			case STATEMENT -> endingAt(allocator.isPostgreSql() ? updateReturning(allocator.connection(), key)
					: updateLastInsertId(allocator.connection(), key));
		};
	}

	private static AllocatedSegment endingAt(long end) {
		return new AllocatedSegment(end - STEP, end);
	}

	private static long updateReturning(Connection connection, String key) throws SQLException {
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

	private static long updateLastInsertId(Connection connection, String key) throws SQLException {
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
