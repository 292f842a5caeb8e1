// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * The store of the leases: one lease record for each worker ID, changed by
 * compare-and-set only. An instance works for one process and one {@code leaf.name}.
 * <p>
 * Each write is atomic, and durable when the method returns. If a write throws an
 * exception, its outcome is unknown. The write may have taken effect, or may still take
 * effect. The lease records of different worker IDs are independent of each other.
 * <p>
 * Methods block for I/O, for seconds if the store is unavailable. A method throws a
 * {@link WorkerLeaseStoreException} if the store cannot be reached. The library calls the
 * methods one at a time, on its own threads and on the threads that start and close the
 * {@link LeaseKeeper}. However, it may close a {@linkplain #isShared() shared} store
 * while another call hangs.
 */
public interface WorkerLeaseStore extends AutoCloseable {

	/**
	 * The version of a lease record that does not exist.
	 */
	long ABSENT = -1;

	/**
	 * Returns the kind of this store, a value of {@code leaf.snowflake.worker.source}.
	 * @return a name such as {@code zookeeper}
	 */
	String source();

	/**
	 * Returns a text that distinguishes this store from all other stores. Does not access
	 * the store. The text is needed because a claim that was made in one store does not
	 * apply to the same worker ID in another store.
	 * @return a text without credentials, the same for every process that uses this
	 * store; {@code null} if the store cannot be identified, or if its claims are not
	 * saved in a {@link SavedLeaseStore}
	 */
	@Nullable String identity();

	/**
	 * Returns whether processes share the worker IDs of this store.
	 * @return {@code false} if the store has only the one worker ID that was assigned to
	 * this process; {@code true} (the default) otherwise
	 */
	default boolean isShared() {
		return true;
	}

	/**
	 * Returns the smallest worker ID that this store assigns, 0 by default.
	 * @return 0 or more
	 */
	default long firstWorkerId() {
		return 0;
	}

	/**
	 * Makes the store ready. Connects, creates what is missing, and records the layout.
	 * If an earlier process has recorded a layout, compares the recorded layout with the
	 * given layout instead. The library calls this method before any other method that
	 * accesses the store, again if this method has failed, and again before it repeats a
	 * failed claim. The store may therefore be open already.
	 * @param layout the layout of this process
	 * @throws WorkerLeaseStoreException if the store cannot be reached, or
	 * {@linkplain WorkerLeaseStoreException#isRefusal() refuses} the process, for example
	 * because another layout is recorded
	 */
	void open(SnowflakeLayout layout);

	/**
	 * Reads all lease records. Writes that other processes completed a moment ago may be
	 * missing.
	 * @return the lease records in ascending order of the worker ID, including those that
	 * no process may claim
	 */
	List<LeaseRecord> readAll();

	/**
	 * Reads a lease record. The result includes every write that any process completed
	 * before the call.
	 * @param workerId the worker ID
	 * @return the lease record, or {@code null} if it does not exist
	 */
	@Nullable LeaseRecord read(long workerId);

	/**
	 * Writes a lease record if it still has the given version. Versions are random, so
	 * that no version recurs with other content after the store was restored from a
	 * backup.
	 * @param workerId the worker ID
	 * @param version the version that was read, or {@link #ABSENT} to create the lease
	 * record
	 * @param lease the new content, including its new version
	 * @return {@code true} if the lease record now has the new version; {@code false} if
	 * the lease record was not changed, because it had another version than the given
	 * version
	 * @throws WorkerLeaseStoreException if the store cannot be reached, or does not
	 * confirm that the write is durable (and replicated, if the store is replicated);
	 * whether the lease record was written is then unknown
	 */
	boolean write(long workerId, long version, Lease lease);

	/**
	 * Finds a worker ID without a lease record, so that the process can create the
	 * record. Processes that ask at the same time seldom get the same worker ID.
	 * @param except worker IDs that must not be returned, because the process holds them
	 * or cannot use them yet. If the store had lost the lease record of such a worker ID,
	 * this method would otherwise return that worker ID again and again
	 * @return a worker ID within the layout, or empty if no worker ID is left
	 */
	OptionalLong newWorkerId(Set<Long> except);

	/**
	 * Reads the store's own clock.
	 * @return milliseconds since 1970-01-01T00:00:00Z, or empty if the store has no clock
	 * of its own
	 */
	OptionalLong currentTime();

	/**
	 * Sets an action that runs whenever the store can be reached again after it was
	 * unavailable, so that the leases can be renewed before the next regular renewal. The
	 * action runs on a thread of the store and does not block. The default implementation
	 * does nothing, because not every store notices when it can be reached again.
	 * @param action the action
	 */
	default void whenBack(Runnable action) {
	}

	/**
	 * Releases the resources of the store, such as connections. Lease records stay as
	 * they are.
	 */
	@Override
	void close();

}
