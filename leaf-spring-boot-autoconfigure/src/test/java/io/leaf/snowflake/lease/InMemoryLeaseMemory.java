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

import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * A memory that outlives the processes of a test. Reading and writing can be made to
 * fail.
 */
final class InMemoryLeaseMemory implements LeaseMemory {

	@Nullable RememberedLease remembered;

	boolean full;

	boolean copied;

	boolean inUse;

	// a write that fails may have reached the disk all the same
	boolean writtenAllTheSame;

	@Override
	public void open(SnowflakeLayout layout) {
		if (this.inUse) {
			throw new LeaseMemoryException("Another process uses it", null);
		}
		this.inUse = true;
	}

	@Override
	public @Nullable RememberedLease load() {
		if (this.copied) {
			throw new LeaseMemoryException("It may be a copy", null);
		}
		return this.remembered;
	}

	@Override
	public void save(RememberedLease lease) {
		if (!this.full || this.writtenAllTheSame) {
			this.remembered = lease;
		}
		check();
	}

	@Override
	public void clear() {
		check();
		this.remembered = null;
	}

	private void check() {
		if (this.full) {
			throw new LeaseMemoryException("No space left", null);
		}
	}

	@Override
	public void close() {
		this.inUse = false;
	}

}
