// SPDX-License-Identifier: Apache-2.0

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
