// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * Holds the saved lease of a process, so that the process can resume its claim if it
 * restarts while the {@link WorkerLeaseStore} is unavailable. Only one process at a time
 * uses a saved lease. Methods block for I/O. The library calls the methods one at a time.
 */
public interface SavedLeaseStore extends AutoCloseable {

	/**
	 * Opens the saved lease for exclusive use.
	 * @param layout the layout of this process
	 * @param store the {@linkplain WorkerLeaseStore#identity() identity} of the store of
	 * this process
	 * @throws IdGenerationException if the saved lease cannot be used, because another
	 * process uses it or because it cannot be written
	 */
	void open(SnowflakeLayout layout, String store);

	/**
	 * Returns the lease that an earlier process saved.
	 * @return the saved lease, or {@code null} if no lease was ever saved or the saved
	 * lease was erased
	 * @throws IdGenerationException if the saved lease cannot be read or must not be
	 * used. It must not be used if it is damaged, if it belongs to another layout or
	 * store, or if it was written on another machine, to another file, or before the
	 * machine last booted, since it may then be a copy or outdated
	 */
	@Nullable SavedLease load();

	/**
	 * Saves a lease in place of the previous lease. The lease is on disk when the method
	 * returns.
	 * @param lease the lease
	 * @throws IdGenerationException if the write fails; it is then unknown which of the
	 * two leases is on disk
	 */
	void save(SavedLease lease);

	/**
	 * Erases the saved lease. It is no longer on disk when the method returns.
	 * @throws IdGenerationException if the write fails; it is then unknown whether the
	 * saved lease is still on disk
	 */
	void clear();

	/**
	 * Ends the exclusive use. The saved lease stays on disk.
	 */
	@Override
	void close();

	/**
	 * The part of a claim that is saved, so that a later process can resume the claim.
	 * All times are milliseconds since 1970-01-01T00:00:00Z.
	 *
	 * @param workerId the worker ID
	 * @param owner the owner in the lease record, which identifies the claim
	 * @param horizon the largest timestamp that the store has confirmed for the claim
	 * @param reservedUntil the largest timestamp that the process may have put into an
	 * ID. Before the process uses later timestamps, it must save a later value. Never
	 * later than the horizon
	 */
	record SavedLease(long workerId, String owner, long horizon, long reservedUntil) {

	}

}
