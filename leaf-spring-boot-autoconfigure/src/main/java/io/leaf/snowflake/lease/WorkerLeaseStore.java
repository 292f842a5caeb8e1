// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * Where leases are kept: one register for each worker ID, changed by compare-and-set
 * only. An instance works for one process and one {@code leaf.name}.
 * <p>
 * Each write is atomic, and durable when the method returns. If a method throws, its
 * outcome is unknown: it may have taken effect, or may yet do so. The registers of
 * different worker IDs are independent of each other.
 * <p>
 * Methods block for I/O, for seconds if the store is unavailable; the library calls them
 * on its own threads only, one at a time.
 */
public interface WorkerLeaseStore extends AutoCloseable {

	/**
	 * The version of a register that does not exist.
	 */
	long ABSENT = -1;

	/**
	 * Returns which kind of store this is, as {@code leaf.snowflake.worker.source} has
	 * it.
	 * @return a name such as {@code zookeeper}
	 */
	String source();

	/**
	 * Returns what tells this store from all others, without asking it. A claim that was
	 * made in one store says nothing of the same worker ID in another.
	 * @return the same for every process that uses the same store, without any
	 * credential; {@code null} if it is not known, or if no claim of this store is
	 * remembered elsewhere
	 */
	@Nullable String identity();

	/**
	 * Returns whether processes share the worker IDs of this store, which is the default.
	 * Otherwise there is one worker ID, and it was given to this process.
	 * @return whether there are worker IDs to choose from
	 */
	default boolean isShared() {
		return true;
	}

	/**
	 * Returns the smallest worker ID that this store gives, 0 by default.
	 * @return 0 or more
	 */
	default long firstWorkerId() {
		return 0;
	}

	/**
	 * Makes the store ready: connects, creates what is missing, and records the layout or
	 * compares it with the one recorded by an earlier process. Called before any other
	 * method, and again after it has failed.
	 * @param layout the layout of this process
	 * @throws WorkerLeaseStoreException if the store cannot be reached, or refuses: for
	 * one, since another layout is recorded
	 */
	void open(SnowflakeLayout layout);

	/**
	 * Reads all registers. Writes that other processes completed a moment ago may be
	 * missing.
	 * @return the registers in ascending order of the worker ID, including those that no
	 * process may claim
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	List<LeaseRegister> readAll();

	/**
	 * Reads a register. Sees every write that was completed before the call, by whichever
	 * process.
	 * @param workerId the worker ID
	 * @return the register, or {@code null} if it does not exist
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	@Nullable LeaseRegister read(long workerId);

	/**
	 * Writes a register if it still has the version given. Versions are random, so a
	 * store that was restored from a backup never has one of them again for other
	 * content.
	 * @param workerId the worker ID
	 * @param version the version that was read, or {@link #ABSENT} to create the register
	 * @param lease what the register is to say, its new version included
	 * @return {@code false} if the register had another version than the one given;
	 * {@code true} if it has the new one
	 * @throws WorkerLeaseStoreException if the store cannot be reached, or does not
	 * confirm that the write is durable everywhere; whether the register was written is
	 * unknown then
	 */
	boolean write(long workerId, long version, WorkerLease lease);

	/**
	 * Finds a worker ID that has no register yet, for the process to create one. Of
	 * processes that ask at once, few get the same one.
	 * @param except worker IDs that the process cannot use though they may have no
	 * register: a store that lost their registers would find them again and again
	 * @return a worker ID within the layout, or empty if there is none left
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	OptionalLong newWorkerId(Set<Long> except);

	/**
	 * Reads the store's own clock.
	 * @return milliseconds since 1970-01-01T00:00:00Z, or empty if the store has no clock
	 * of its own
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	OptionalLong currentTime();

	/**
	 * Names what to run whenever the store was unavailable and can be reached again, so
	 * that callers need not wait for the next renewal. It runs on a thread of the store
	 * and does not block. A store without a connection that reports this does nothing,
	 * which is the default.
	 * @param action what to run
	 */
	default void whenBack(Runnable action) {
	}

	/**
	 * Frees what the store holds, connections and the like. Registers stay as they are.
	 */
	@Override
	void close();

}
