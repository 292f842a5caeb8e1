// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.concurrent.TimeUnit;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.SavedLeaseStore;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.jspecify.annotations.Nullable;

/**
 * The state file, as seen by one process.
 */
final class SimulatedSavedLeaseStore implements SavedLeaseStore {

	private static final long WRITING = TimeUnit.MILLISECONDS.toNanos(50);

	private final Process process;

	private final SimulatedDisk disk;

	private final Claims claims;

	private final Faults faults;

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
			throw new IdGenerationException("The file is of another store");
		}
		SavedLease content = this.disk.content();
		if (content != null) {
			this.process.trace("resumes from " + content);
			this.claims.resumed(this.process, content);
			this.faults.count(Fault.START_WITHOUT_STORE);
		}
		return content;
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
		// content that cannot be written completely may still be on the disk
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
