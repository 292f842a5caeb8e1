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
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.file.StateFile.Reason;
import io.leaf.snowflake.lease.file.StateFile.StateFileException;
import io.leaf.snowflake.lease.file.StateFile.Storage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the register of one worker ID, which is set by hand, in the file
 * <code>{state-dir}/{leaf.name}/worker-{id}.state</code>. Nothing keeps two machines from
 * using the same worker ID; on one machine the lock of the file does.
 * <p>
 * The lock shows that every process that used the worker ID before is gone. So a register
 * that one of them left behind is shown as released, with its horizon kept: a restart
 * goes on above it at once, {@code kill -9} or not.
 * <p>
 * For one thread at a time.
 */
public final class FileWorkerLeaseStore implements WorkerLeaseStore {

	private static final Logger log = LoggerFactory.getLogger(FileWorkerLeaseStore.class);

	private final StateFile file;

	private final long workerId;

	private final String purpose;

	/**
	 * The version that was found when the file was opened. Later ones were written by
	 * this process, since no other can.
	 */
	private long inherited = ABSENT;

	/**
	 * Creates a store that is not open yet.
	 * @param stateDir the directory of all state files, {@code leaf.snowflake.state-dir};
	 * created where it is missing
	 * @param name the name of the application, {@code leaf.name}
	 * @param workerId the worker ID, {@code leaf.snowflake.worker.id}
	 * @param machine where this process runs
	 */
	public FileWorkerLeaseStore(Path stateDir, String name, long workerId, Machine machine) {
		this(stateDir, name, workerId, machine, LockedFile::open);
	}

	FileWorkerLeaseStore(Path stateDir, String name, long workerId, Machine machine,
			BiFunction<Path, Path, Storage> opener) {
		Path path = Path.of(StateFile.fileName(name), "worker-%d.state".formatted(workerId));
		this.purpose = "leaf.name=%s, leaf.snowflake.worker.id=%d".formatted(name, workerId);
		this.workerId = workerId;
		this.file = new StateFile(stateDir, path, this.purpose, machine, true, this::failure, opener);
	}

	@Override
	public String source() {
		return "file";
	}

	/**
	 * Returns {@code null}: what is remembered of a claim is the register itself.
	 */
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
				log.info(
						"The state file of worker ID {} is {}. What loses it loses the guarantee that no ID is issued twice",
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
	public List<LeaseRegister> readAll() {
		LeaseRegister register = read(this.workerId);
		return (register != null) ? List.of(register) : List.of();
	}

	@Override
	public @Nullable LeaseRegister read(long id) {
		if (id != this.workerId) {
			return null;
		}
		Map<String, String> values = this.file.load();
		long version = version(values);
		if (version == ABSENT) {
			return null;
		}
		boolean own = version != this.inherited;
		String owner = own ? values.getOrDefault("owner", WorkerLease.NOBODY) : WorkerLease.NOBODY;
		WorkerLease lease = new WorkerLease(owner, time(values, "horizon"), values.getOrDefault("host", ""),
				time(values, "since"), time(values, "reported"), version);
		return new LeaseRegister(this.workerId, lease, null, null);
	}

	private long time(Map<String, String> values, String name) {
		return this.file.number(values, name, WorkerLease.MAX_TIME);
	}

	private long version(Map<String, String> values) {
		return values.isEmpty() ? ABSENT : this.file.number(values, "version", Long.MAX_VALUE - 1);
	}

	@Override
	public boolean write(long id, long version, WorkerLease lease) {
		if (id != this.workerId) {
			throw new WorkerLeaseStoreException(
					"The file store keeps worker ID %d (leaf.snowflake.worker.id) and not %d".formatted(this.workerId,
							id),
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
				"Set a leaf.snowflake.worker.id for each process that no other has: another one with %s runs on this machine, or another application in this process"
					.formatted(this.purpose);
			case DAMAGED ->
				"It held the time up to which worker ID %d has been used. To go on with this worker ID, delete the file, and start once the clock has passed the time in the highest ID issued with it: earlier, IDs may repeat. Otherwise set a leaf.snowflake.worker.id that was never used"
					.formatted(this.workerId);
			case COPIED ->
				"Two processes with one worker ID issue the same IDs. The change time also changes with chmod, chown and a restored backup. If no other process uses worker ID %d, delete the file, and start once the clock has passed %s, up to which it has been used. Otherwise set another leaf.snowflake.worker.id"
					.formatted(this.workerId, horizon());
			case REPLACED ->
				"A process that starts now with worker ID %d may issue the same IDs. Stop all that have it, leave state files alone, and start one"
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
