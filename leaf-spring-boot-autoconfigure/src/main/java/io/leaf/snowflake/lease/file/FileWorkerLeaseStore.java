// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.file.StateFile.Reason;
import io.leaf.snowflake.lease.file.StateFile.StateFileException;
import io.leaf.snowflake.lease.file.StateFile.Storage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lease record of one worker ID, which is configured by hand, in the file
 * <code>{state-dir}/{leaf.name}/worker-{id}.state</code>. The lock on the file prevents a
 * second process on the same machine, with the same state directory and
 * {@code leaf.name}, from using the worker ID. Nothing prevents a process on another
 * machine from using the worker ID.
 * <p>
 * If a process gets the lock, all earlier processes that used the file have ended or have
 * closed the file. Therefore this store returns the lease of an earlier process as a
 * released lease, with the horizon that the earlier process wrote. A restarted process
 * can then continue above that horizon at once, even after {@code kill -9}.
 * <p>
 * This class is not thread-safe.
 */
public final class FileWorkerLeaseStore implements WorkerLeaseStore {

	private static final Logger logger = LoggerFactory.getLogger(FileWorkerLeaseStore.class);

	private final StateFile file;

	private final long workerId;

	private final String purpose;

	// The version of the lease record when the file was opened. All later versions were
	// written by this process, since no other process can write the file.
	private long inherited = ABSENT;

	/**
	 * Creates a store that is not open yet.
	 * @param stateDir the directory of all state files, {@code leaf.snowflake.state-dir};
	 * created if it is missing
	 * @param name the name of the application, {@code leaf.name}
	 * @param workerId the worker ID, {@code leaf.snowflake.worker.id}
	 * @param machine the machine of this process
	 */
	public FileWorkerLeaseStore(Path stateDir, String name, long workerId, Machine machine) {
		this(stateDir, name, workerId, machine, LockedFile::open);
	}

	FileWorkerLeaseStore(Path stateDir, String name, long workerId, Machine machine,
			BiFunction<Path, Path, Storage> opener) {
		Path path = Path.of(StateFile.fileName(name), "worker-%s.state".formatted(workerId));
		// numbers are formatted with %s, because the state file records this text, and %d
		// uses the digits of the default locale
		this.purpose = "leaf.name=%s, leaf.snowflake.worker.id=%s".formatted(name, workerId);
		this.workerId = workerId;
		this.file = new StateFile(stateDir, path, this.purpose, machine, true, this::failure, opener);
	}

	@Override
	public String source() {
		return "file";
	}

	@Override
	public @Nullable String identity() {
		return null;
	}

	@Override
	public boolean isShared() {
		return false;
	}

	@Override
	public void open(SnowflakeLayout layout) {
		if (this.workerId < 0 || this.workerId > layout.maxWorkerId()) {
			throw new WorkerLeaseStoreException("leaf.snowflake.worker.id is %d. It must be from 0 to %d"
				.formatted(this.workerId, layout.maxWorkerId()), null, true);
		}
		boolean first = !this.file.isOpen();
		try {
			this.file.open(layout, "");
			long version = version(this.file.load());
			if (first) {
				this.inherited = version;
				logger.info(
						"The state file of worker ID {} is {}. If it is lost, so is the guarantee that no ID is issued twice",
						this.workerId, this.file.path());
			}
		}
		catch (WorkerLeaseStoreException ex) {
			if (first) {
				this.file.close();
			}
			throw ex;
		}
	}

	@Override
	public List<LeaseRecord> readAll() {
		LeaseRecord record = read(this.workerId);
		return (record != null) ? List.of(record) : List.of();
	}

	@Override
	public @Nullable LeaseRecord read(long id) {
		if (id != this.workerId) {
			return null;
		}
		Map<String, String> values = this.file.load();
		long version = version(values);
		if (version == ABSENT) {
			return null;
		}
		boolean own = version != this.inherited;
		String owner = own ? values.getOrDefault("owner", Lease.NO_OWNER) : Lease.NO_OWNER;
		Lease lease = new Lease(owner, time(values, "horizon"), values.getOrDefault("host", ""), time(values, "since"),
				time(values, "reported"), version);
		return new LeaseRecord(this.workerId, lease, null, null);
	}

	private long time(Map<String, String> values, String name) {
		return this.file.number(values, name, Lease.MAX_TIME);
	}

	private long version(Map<String, String> values) {
		return values.isEmpty() ? ABSENT : this.file.number(values, "version", Long.MAX_VALUE - 1);
	}

	@Override
	public boolean write(long id, long version, Lease lease) {
		if (id != this.workerId) {
			throw new WorkerLeaseStoreException(
					"The file store keeps worker ID %d (leaf.snowflake.worker.id), not %d".formatted(this.workerId, id),
					null, true);
		}
		if (version(this.file.load()) != version) {
			return false;
		}
		Map<String, String> values = new LinkedHashMap<>();
		values.put("version", Long.toString(lease.version()));
		values.put("owner", lease.owner());
		values.put("horizon", Long.toString(lease.horizon()));
		values.put("host", lease.host());
		values.put("since", Long.toString(lease.since()));
		values.put("reported", Long.toString(lease.reported()));
		this.file.save(values);
		return true;
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return (!except.contains(this.workerId) && read(this.workerId) == null) ? OptionalLong.of(this.workerId)
				: OptionalLong.empty();
	}

	@Override
	public OptionalLong currentTime() {
		return OptionalLong.empty();
	}

	private WorkerLeaseStoreException failure(StateFileException ex) {
		String advice = switch (ex.reason()) {
			case IN_USE ->
				"Set a different leaf.snowflake.worker.id for each process: another process on this machine, or another application in this process, already runs with %s"
					.formatted(this.purpose);
			case DAMAGED ->
				"The file held the time up to which worker ID %d has been used. To keep this worker ID, delete the file, and start the process only after the clock has passed the time in the highest ID issued with this worker ID: before that time, IDs may repeat. Otherwise set a leaf.snowflake.worker.id that was never used"
					.formatted(this.workerId);
			case COPIED ->
				"Two processes with one worker ID issue the same IDs. If only the change-time differs, the lock file next to the state file was changed, possibly by chmod, by chown or by restoring a backup. If no other process uses worker ID %d, delete the file, and start the process only after the clock has passed %s: up to that time the worker ID has been used. Otherwise set another leaf.snowflake.worker.id"
					.formatted(this.workerId, horizon());
			case REPLACED ->
				"A process that starts now with worker ID %d may issue the same IDs as this process. Stop all processes with this worker ID, then start one of them. If it refuses the state file as a copy, its message says how to continue. Do not change state files while a process runs"
					.formatted(this.workerId);
			default -> ex.reason().advice();
		};
		return new WorkerLeaseStoreException("%s. %s".formatted(ex.getMessage(), advice), ex,
				ex.reason() != Reason.FAILED);
	}

	private String horizon() {
		String horizon = this.file.unchecked().getOrDefault("horizon", "");
		try {
			return Instant.ofEpochMilli(Long.parseLong(horizon)).toString();
		}
		catch (NumberFormatException ex) {
			return "the time '%s'".formatted(horizon);
		}
	}

	@Override
	public void close() {
		this.file.close();
	}

}
