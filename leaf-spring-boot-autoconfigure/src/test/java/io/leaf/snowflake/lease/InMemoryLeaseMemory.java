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

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one process, on a {@link Disk} that outlives it.
 */
final class InMemoryLeaseMemory implements LeaseMemory {

	private final Disk disk;

	private @Nullable String store;

	InMemoryLeaseMemory(Disk disk) {
		this.disk = disk;
	}

	@Override
	public void open(SnowflakeLayout layout, String store) {
		if (this.disk.user != null) {
			throw new IdGenerationException("Another process uses it");
		}
		this.store = store;
		this.disk.user = this;
	}

	@Override
	public @Nullable RememberedLease load() {
		if (this.disk.copied) {
			throw new IdGenerationException("It may be a copy");
		}
		if (this.disk.remembered != null && this.disk.store != null && !this.disk.store.equals(this.store)) {
			throw new IdGenerationException("It speaks of another store");
		}
		return this.disk.remembered;
	}

	@Override
	public void save(RememberedLease lease) {
		if (!this.disk.full || this.disk.writtenAllTheSame) {
			this.disk.remembered = lease;
			this.disk.store = this.store;
		}
		if (this.disk.broken) {
			throw new IllegalStateException("Broken");
		}
		this.disk.check();
	}

	@Override
	public void clear() {
		this.disk.check();
		this.disk.remembered = null;
	}

	@Override
	public void close() {
		if (this.disk.user == this) {
			this.disk.user = null;
		}
	}

	/**
	 * What is remembered, and how the disk is doing.
	 */
	static final class Disk {

		@Nullable RememberedLease remembered;

		private @Nullable String store;

		boolean full;

		// a write that fails may have reached the disk all the same
		boolean writtenAllTheSame;

		boolean copied;

		// writes reach it, and fail in a way that nobody expects
		boolean broken;

		private @Nullable InMemoryLeaseMemory user;

		boolean isInUse() {
			return this.user != null;
		}

		private void check() {
			if (this.full) {
				throw new IdGenerationException("No space left");
			}
		}

	}

}
