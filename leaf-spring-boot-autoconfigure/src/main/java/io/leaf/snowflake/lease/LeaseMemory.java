// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * What a process remembers of its claim, so that it can go on with it after a restart at
 * a time when the store is unavailable. Used by one process at a time. Methods block for
 * I/O; the library calls them on one thread only.
 */
public interface LeaseMemory extends AutoCloseable {

	/**
	 * Takes the memory into exclusive use.
	 * @param layout the layout of this process
	 * @param store the {@linkplain WorkerLeaseStore#identity() identity} of the store of
	 * this process
	 * @throws IdGenerationException if it cannot be used: another process uses it, or it
	 * cannot be written
	 */
	void open(SnowflakeLayout layout, String store);

	/**
	 * Returns what an earlier process remembered.
	 * @return its claim, or {@code null} if it holds none: none was ever saved, or it was
	 * released
	 * @throws IdGenerationException if what it holds must not be used: it is damaged, of
	 * another layout or another store, or was written on another machine or in another
	 * place than where it lies now, and so may be a copy
	 */
	@Nullable RememberedLease load();

	/**
	 * Remembers a claim in place of the one before. It is on disk when the method
	 * returns.
	 * @param lease the claim
	 * @throws IdGenerationException if it cannot be written. Whether it was is unknown
	 * then
	 */
	void save(RememberedLease lease);

	/**
	 * Forgets the claim. It is off the disk when the method returns.
	 * @throws IdGenerationException if it cannot be written. Whether it was is unknown
	 * then
	 */
	void clear();

	/**
	 * Lets others use it. What is remembered stays.
	 */
	@Override
	void close();

	/**
	 * What a process remembers of its claim beyond its own life. All times are
	 * milliseconds since 1970-01-01T00:00:00Z.
	 *
	 * @param workerId the worker ID
	 * @param owner the claim, as the register has it
	 * @param horizon the largest timestamp that the store has confirmed for the claim
	 * @param reservedUntil the largest timestamp that the process may have put into an
	 * ID: it passes this one only once a later one is on disk. Never above the horizon
	 */
	record RememberedLease(long workerId, String owner, long horizon, long reservedUntil) {

	}

}
