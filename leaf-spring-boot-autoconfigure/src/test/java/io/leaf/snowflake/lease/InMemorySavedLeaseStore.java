// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.jspecify.annotations.Nullable;

/**
 * The saved lease of one process, on a {@link Disk} that outlives it.
 */
final class InMemorySavedLeaseStore implements SavedLeaseStore {

	private final Disk disk;

	private @Nullable String store;

	InMemorySavedLeaseStore(Disk disk) {
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
	public @Nullable SavedLease load() {
		if (this.disk.copied) {
			throw new IdGenerationException("It may be a copy");
		}
		if (this.disk.saved != null && this.disk.store != null && !this.disk.store.equals(this.store)) {
			throw new IdGenerationException("It belongs to another store");
		}
		return this.disk.saved;
	}

	@Override
	public void save(SavedLease lease) {
		if (!this.disk.full || this.disk.writtenDespiteFailure) {
			this.disk.saved = lease;
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
		this.disk.saved = null;
	}

	@Override
	public void close() {
		if (this.disk.user == this) {
			this.disk.user = null;
		}
	}

	static final class Disk {

		@Nullable SavedLease saved;

		private @Nullable String store;

		boolean full;

		// a write that fails may still have reached the disk
		boolean writtenDespiteFailure;

		boolean copied;

		// writes reach the disk, and fail with an unexpected exception
		boolean broken;

		private @Nullable InMemorySavedLeaseStore user;

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
