// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.SavedLeaseStore;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import io.leaf.snowflake.lease.file.StateFile.StateFileException;
import io.leaf.snowflake.lease.file.StateFile.Storage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the saved lease of a process in the file
 * <code>{state-dir}/{leaf.name}/{port}/lease.state</code>, which is locked while it is in
 * use. A saved lease is valid only on the machine that wrote it and until that machine
 * boots again, and only for the store in which the lease was claimed. This class is not
 * thread-safe.
 */
public final class FileSavedLeaseStore implements SavedLeaseStore {

	private final StateFile file;

	private final String purpose;

	private long maxWorkerId;

	/**
	 * Creates a store that is not open yet.
	 * @param stateDir the directory of all state files, {@code leaf.snowflake.state-dir};
	 * created if it is missing
	 * @param name the name of the application, {@code leaf.name}
	 * @param port distinguishes the processes of the application on this machine,
	 * {@code leaf.snowflake.port}
	 * @param machine the machine of this process
	 */
	public FileSavedLeaseStore(Path stateDir, String name, String port, Machine machine) {
		this(stateDir, name, port, machine, LockedFile::open);
	}

	FileSavedLeaseStore(Path stateDir, String name, String port, Machine machine,
			BiFunction<Path, Path, Storage> opener) {
		Path path = Path.of(StateFile.fileName(name), StateFile.fileName(port), "lease.state");
		this.purpose = "leaf.name=%s, leaf.snowflake.port=%s".formatted(name, port);
		this.file = new StateFile(stateDir, path, this.purpose, machine, false, this::failure, opener);
	}

	@Override
	public void open(SnowflakeLayout layout, String store) {
		this.maxWorkerId = layout.maxWorkerId();
		this.file.open(layout, store);
	}

	@Override
	public @Nullable SavedLease load() {
		Map<String, String> values = this.file.load();
		if (values.isEmpty()) {
			return null;
		}
		long horizon = this.file.number(values, "horizon", Lease.MAX_TIME);
		return new SavedLease(this.file.number(values, "worker-id", this.maxWorkerId), this.file.text(values, "owner"),
				horizon, this.file.number(values, "reserved-until", horizon));
	}

	@Override
	public void save(SavedLease lease) {
		Map<String, String> values = new LinkedHashMap<>();
		values.put("worker-id", Long.toString(lease.workerId()));
		values.put("owner", lease.owner());
		values.put("horizon", Long.toString(lease.horizon()));
		values.put("reserved-until", Long.toString(lease.reservedUntil()));
		this.file.save(values);
	}

	@Override
	public void clear() {
		this.file.save(Map.of());
	}

	private IdGenerationException failure(StateFileException ex) {
		String advice = switch (ex.reason()) {
			case IN_USE ->
				"Another process on this machine, or another application in this process, already runs with %s. Set a different leaf.snowflake.port for each process"
					.formatted(this.purpose);
			case DAMAGED ->
				"Start the process while the store of worker IDs can be reached: the process then writes a new file";
			case COPIED ->
				"If the boot-id differs, the machine has booted since the file was written. If only the change-time differs, the lock file next to the state file was changed, possibly by chmod, by chown or by restoring a backup. Start the process while the store of worker IDs can be reached: the process then writes a new file";
			case REPLACED -> "Restart this process, and do not change state files while a process runs";
			default -> ex.reason().advice();
		};
		return new IdGenerationException("%s. %s".formatted(ex.getMessage(), advice), ex);
	}

	@Override
	public void close() {
		this.file.close();
	}

}
