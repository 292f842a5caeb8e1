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
