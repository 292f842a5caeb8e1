// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.SavedLeaseStore;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.jspecify.annotations.Nullable;

/**
 * The state file, as accessed by one process.
 */
final class SimulatedSavedLeaseStore implements SavedLeaseStore {

	private static final long WRITING = TimeUnit.MILLISECONDS.toNanos(50);

	private final Process process;

	private final SimulatedDisk disk;

	private final Claims claims;

	private final Faults faults;

	private @Nullable SavedLease loaded;

	SimulatedSavedLeaseStore(Process process, SimulatedDisk disk, Claims claims, Faults faults) {
		this.process = process;
		this.disk = disk;
		this.claims = claims;
		this.faults = faults;
	}

	@Override
	public void open(SnowflakeLayout layout, String store) {
		this.process.check();
		if (!this.disk.lock(this.process)) {
			throw new IdGenerationException("Another process uses the file");
		}
	}

	@Override
	public @Nullable SavedLease load() {
		this.process.check();
		if (this.disk.isCopied()) {
			throw new IdGenerationException("The file may be a copy");
		}
		if (this.disk.isOfAnotherStore()) {
			throw new IdGenerationException("The file belongs to another store");
		}
		SavedLease content = this.disk.content();
		if (content != null) {
			this.process.trace("reads state file: " + content);
			this.claims.found(this.process, content);
		}
		this.loaded = content;
		return content;
	}

	/**
	 * Records that the process has started without the store, with the claim that it has
	 * loaded last.
	 */
	void resumed() {
		this.faults.count(Fault.START_WITHOUT_STORE);
		this.claims.resumed(this.process, Objects.requireNonNull(this.loaded));
	}

	@Override
	public void save(SavedLease lease) {
		write(lease);
	}

	@Override
	public void clear() {
		write(null);
	}

	private void write(@Nullable SavedLease lease) {
		RandomSource random = this.process.world().random();
		hold();
		boolean full = this.disk.isFull();
		// content whose write fails may still be on the disk
		if (!full || random.chance(0.3)) {
			this.disk.write(lease);
			if (this.process.world().trace().isKept()) {
				this.process.trace("disk: " + lease);
			}
		}
		hold();
		if (full) {
			throw new IdGenerationException("No space left");
		}
	}

	private void hold() {
		this.process.check();
		if (!this.faults.areOver()) {
			this.process.hold(this.process.world().random().upTo(WRITING));
		}
	}

	@Override
	public void close() {
		this.disk.unlock(this.process);
	}

}
