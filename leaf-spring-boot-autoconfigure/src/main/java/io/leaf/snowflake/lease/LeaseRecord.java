// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link WorkerLeaseStore} holds for one worker ID, as read from the store.
 *
 * @param workerId the worker ID
 * @param lease the lease
 * @param storedAt when the lease record was written, by the store's own clock, in
 * milliseconds since 1970-01-01T00:00:00Z; {@code null} if the store has no clock or the
 * lease record cannot be read
 * @param blockedBy why no process may claim this worker ID, whatever the lease contains,
 * for example because a server of Meituan's Leaf uses the worker ID or because the lease
 * record cannot be read; {@code null} if a process may claim the worker ID as soon as the
 * lease allows it
 */
public record LeaseRecord(long workerId, Lease lease, @Nullable Long storedAt, @Nullable String blockedBy) {

	/**
	 * Returns the version that the next write must name as the version to replace.
	 * @return the version of the lease
	 */
	public long version() {
		return this.lease.version();
	}

}
