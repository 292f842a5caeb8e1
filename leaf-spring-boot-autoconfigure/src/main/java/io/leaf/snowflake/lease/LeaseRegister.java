// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * A register as it was read from a {@link WorkerLeaseStore}.
 *
 * @param workerId the worker ID that the register is for
 * @param lease what the register says
 * @param storedAt when it was written, by the store's own clock, in milliseconds since
 * 1970-01-01T00:00:00Z; {@code null} if the store has no clock or the register cannot be
 * read
 * @param blockedBy why no process may claim this worker ID whatever the lease says, such
 * as a server of Meituan's Leaf that uses it, or content that cannot be read;
 * {@code null} in the ordinary case
 */
public record LeaseRegister(long workerId, WorkerLease lease, @Nullable Long storedAt, @Nullable String blockedBy) {

	/**
	 * Returns the version that the next write has to name.
	 * @return the version of the lease
	 */
	public long version() {
		return this.lease.version();
	}

}
