// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.JdbcSegmentStore;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Allocates segments on its own connection, as a process would. Not thread-safe.
 */
final class Allocator implements AutoCloseable {

	/**
	 * The longer of the library's two timeouts for an allocation, which it uses after an
	 * attempt that was slow and failed.
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
	 * Allocates a segment with the library's store.
	 */
	AllocatedSegment allocate(String key) throws SQLException {
		Allocation allocation = this.store.allocate(key, AllocationMethod.STEP, 0, TIMEOUT);
		if (allocation == null) {
			throw new SQLException("No row for key '" + key + "'");
		}
		return new AllocatedSegment(allocation.from(), allocation.to());
	}

	/**
	 * Turns autocommit on, as {@link #run} expects it. The transaction of Meituan's Leaf
	 * turns it off.
	 */
	void prepare() throws SQLException {
		connection().setAutoCommit(true);
	}

	/**
	 * Allocates one segment after the other.
	 * @param method the method of allocation
	 * @param key the key of the row
	 * @param from the {@link System#nanoTime()} from which calls are counted
	 * @param to the {@link System#nanoTime()} until which calls are made and counted
	 * @return the outcome of the calls
	 */
	Calls run(AllocationMethod method, String key, long from, long to) {
		List<AllocatedSegment> segments = new ArrayList<>();
		long counted = 0;
		long failed = 0;
		for (long end = System.nanoTime(); end - to < 0;) {
			try {
				segments.add(method.allocate(this, key));
				end = System.nanoTime();
				counted += (end - from >= 0 && end - to < 0) ? 1 : 0;
			}
			catch (SQLException | SegmentStoreException ex) {
				failed++;
				this.connection.resetConnection();
				end = System.nanoTime();
			}
		}
		return new Calls(counted, failed, segments);
	}

	@Override
	public void close() {
		this.connection.close();
	}

	/**
	 * The outcome of some calls.
	 *
	 * @param counted the number of calls that succeeded within the measured time
	 * @param failed the number of calls that failed, at any time
	 * @param segments the segments that were allocated at any time
	 */
	record Calls(long counted, long failed, List<AllocatedSegment> segments) {

		/**
		 * Adds up the calls of several allocators.
		 */
		static Calls sum(List<Calls> calls) {
			return new Calls(calls.stream().mapToLong(Calls::counted).sum(),
					calls.stream().mapToLong(Calls::failed).sum(),
					calls.stream().flatMap((each) -> each.segments().stream()).toList());
		}

	}

}
