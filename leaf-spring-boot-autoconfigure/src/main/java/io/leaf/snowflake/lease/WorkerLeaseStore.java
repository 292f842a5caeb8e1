/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.snowflake.lease;

import java.util.List;
import java.util.OptionalLong;

import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * Where leases are kept: one register for each worker ID, changed by compare-and-set
 * only. An instance works for one process and one {@code leaf.name}.
 * <p>
 * Each write is atomic, and durable when the method returns. Where a method throws, its
 * outcome is unknown: it may have taken effect, or may yet do so. The registers of
 * different worker IDs are independent of each other.
 * <p>
 * Methods block for I/O, for seconds where the store is away; the library calls them on
 * its own threads only, one at a time.
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
	 * Makes the store ready: connects, creates what is missing, and records the layout or
	 * compares it with the one recorded by an earlier process. Called before any other
	 * method, and again after it has failed.
	 * @param layout the layout of this process
	 * @throws WorkerLeaseStoreException if the store cannot be reached, or refuses: for
	 * one, since another layout is recorded
	 */
	void open(SnowflakeLayout layout);

	/**
	 * Reads all registers.
	 * @return the registers in ascending order of the worker ID, those included that
	 * nobody may claim
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
	 * Writes a register if it still has the version given.
	 * @param workerId the worker ID
	 * @param version the version that was read, or {@link #ABSENT} to create it
	 * @param lease what it is to say
	 * @return its new version, or empty if it has another version than the one given and
	 * nothing was written
	 * @throws WorkerLeaseStoreException if the store cannot be reached; whether the
	 * register was written is unknown then
	 */
	OptionalLong write(long workerId, long version, WorkerLease lease);

	/**
	 * Finds a worker ID that has no register yet, for the process to create one.
	 * @return a worker ID within the layout, or empty if there is none left
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	OptionalLong newWorkerId();

	/**
	 * Reads the store's own clock.
	 * @return milliseconds since 1970-01-01T00:00:00Z, or empty if the store has no clock
	 * of its own
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	OptionalLong currentTime();

	/**
	 * Names what to run whenever the store, which was away, can be reached again, so that
	 * nobody has to wait for the next renewal. It runs on a thread of the store's and
	 * does not block. A store that is not told by a connection has nothing to do here,
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
