// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.segment.jdbc.TableName;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Stands for a process that takes blocks, on a connection of its own. Used by one thread
 * at a time.
 */
final class Allocator implements AutoCloseable {

	/**
	 * How long the library waits for a database that is slow.
	 */
	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final SingleConnectionDataSource connection;

	private final JdbcSegmentStore store;

	private final boolean postgreSql;

	Allocator(Database database, String url) {
		this.connection = new SingleConnectionDataSource(url, database.username(), database.password(), true);
		this.store = new JdbcSegmentStore(this.connection, new TableName("leaf_alloc"));
		this.postgreSql = database.isPostgreSql();
	}

	Connection connection() throws SQLException {
		return this.connection.getConnection();
	}

	boolean isPostgreSql() {
		return this.postgreSql;
	}

	/**
	 * Takes a block as the library does.
	 */
	Block allocate(String key) throws SQLException {
		Allocation allocation = this.store.allocate(key, Way.STEP, 0, TIMEOUT);
		if (allocation == null) {
			throw new SQLException("There is no row for " + key);
		}
		return new Block(allocation.from(), allocation.to());
	}

	/**
	 * Has each statement commit itself, as {@link #run} expects it. A deployed Leaf's
	 * transaction ends that by itself.
	 */
	void prepare() throws SQLException {
		connection().setAutoCommit(true);
	}

	/**
	 * Takes one block after the other.
	 * @param way how
	 * @param key the key of the row
	 * @param from from when on calls are counted, by {@link System#nanoTime()}
	 * @param to until when
	 * @return what has become of the calls
	 */
	Calls run(Way way, String key, long from, long to) {
		List<Block> blocks = new ArrayList<>();
		long counted = 0;
		long failed = 0;
		for (long end = System.nanoTime(); end - to < 0;) {
			try {
				blocks.add(way.take(this, key));
				end = System.nanoTime();
				counted += (end - from >= 0 && end - to < 0) ? 1 : 0;
			}
			catch (SQLException | SegmentStoreException ex) {
				failed++;
				this.connection.resetConnection();
				end = System.nanoTime();
			}
		}
		return new Calls(counted, failed, blocks);
	}

	@Override
	public void close() {
		this.connection.close();
	}

	/**
	 * What has become of some calls.
	 *
	 * @param counted how many succeeded within the time
	 * @param failed how many failed, within it or not
	 * @param blocks what all of them have taken
	 */
	record Calls(long counted, long failed, List<Block> blocks) {

		/**
		 * Adds up what several allocators have done.
		 */
		static Calls sum(List<Calls> calls) {
			return new Calls(calls.stream().mapToLong(Calls::counted).sum(),
					calls.stream().mapToLong(Calls::failed).sum(),
					calls.stream().flatMap((each) -> each.blocks().stream()).toList());
		}

	}

}
