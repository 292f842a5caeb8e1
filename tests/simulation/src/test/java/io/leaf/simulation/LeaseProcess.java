// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.leaf.ClockDriftException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SimulatedLanes;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.SimulatedKeeper;
import io.leaf.snowflake.lease.server.ServerWorkerLeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * A process that issues snowflake IDs.
 */
final class LeaseProcess extends IssuingProcess {

	private static final int CALLERS = 2;

	private static final long LONGEST_CLOCK_CHECK = TimeUnit.SECONDS.toNanos(8);

	private static final long LONGEST_RECONNECT = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long LONGEST_HOLD_UP = TimeUnit.MINUTES.toNanos(1);

	private final LeaseWorld world;

	private final int place;

	private final GeneratorClock clock;

	private final SnowflakeLanes lanes;

	private final ObservedLeaseStore store;

	private final boolean isClient;

	private final SimulatedSavedLeaseStore savedLeases;

	private final LeaseKeeper keeper;

	// by worker ID: the versions of the lease records that this process could claim when
	// settled() was last called
	private final Map<Long, Long> claimable = new HashMap<>();

	private Set<String> held = Set.of();

	// Set only between the beginning of a call and its first wait. The library's own
	// threads are not held up, because they read the clock under a lock, which would
	// block the other threads on a real machine.
	private boolean drawing;

	/**
	 * Creates a process.
	 * @param servers the Leaf servers that the process is a client of. If empty, the
	 * process uses the store itself
	 */
	LeaseProcess(LeaseWorld world, Process process, String host, int place, List<LeafServer> servers) {
		super(process, servers.isEmpty() ? List.of(world.records()) : servers, world.faults());
		this.world = world;
		this.place = place;
		Duration maxDrift = world.settings(host).maxDrift();
		this.clock = new GeneratorClock(process.wallClock(), this::nanoTime, maxDrift);
		this.lanes = SimulatedLanes.create(world.snowflakeSettings(), this.clock, process::nanoTime, this::park,
				process.world().random());
		this.isClient = !servers.isEmpty();
		this.store = new ObservedLeaseStore(process, world.claims(),
				this.isClient
						? new ServerWorkerLeaseStore(SimulatedHttp.client(this, servers, world.faults()), "orders")
						: new SimulatedLeaseStore(process, world.records(), link(), world.faults()));
		this.savedLeases = new SimulatedSavedLeaseStore(process, world.disk(place), world.claims(), world.faults());
		this.keeper = SimulatedKeeper.create(this.store, this.savedLeases, this.lanes, world.settings(host),
				new SimulatedExecutor(process, World.Role.LIBRARY, 1),
				new SimulatedExecutor(process, World.Role.LIBRARY, 1), process::hold, process.world().random());
		SnowflakeIdGenerator generator = new SnowflakeIdGenerator(this.lanes);
		LaneChecker checker = new LaneChecker(process, world);
		for (int i = 0; i < CALLERS; i++) {
			add(new Caller(process, i, (count) -> draw(generator, count), checker));
		}
	}

	// A caller may be delayed just after it has read the clock, for so long that other
	// callers use up the timestamps up to that time.
	private long nanoTime() {
		long time = process().nanoTime();
		if (this.drawing && this.world.faults().happens(Fault.THREAD_HELD_UP)) {
			this.drawing = false;
			process().trace("a caller is held up");
			process().hold(this.world.faults().duration(LONGEST_HOLD_UP));
		}
		return time;
	}

	private long[] draw(SnowflakeIdGenerator generator, int count) {
		this.drawing = true;
		try {
			return (count == 1) ? new long[] { generator.nextId("order") } : generator.nextIds("order", count);
		}
		finally {
			this.drawing = false;
		}
	}

	private void park(long nanos) {
		this.drawing = false;
		// may return early, like LockSupport.parkNanos(), because a caller cannot
		// distinguish this from a wake-up
		process().hold(process().trueTime(process().world().random().upTo(nanos)) + 1);
	}

	@Override
	void open() {
		long begun = process().world().now();
		boolean faultsAreOver = this.world.faults().areOver();
		try {
			this.keeper.start();
			if (this.keeper.status().lastError() != null) {
				this.savedLeases.resumed();
			}
		}
		catch (ClockDriftException ex) {
			List<LeaseRecord> read = this.store.lastRead();
			boolean measured = read != null && process().world().now() - begun < LONGEST_CLOCK_CHECK;
			if (measured && process().hasRightClocks() && this.world.mostClocksAreRight(read)) {
				process().world()
					.violated("%s is refused although its clock is right: %s".formatted(process().name(),
							ex.getMessage()));
			}
			throw ex;
		}
		catch (WorkerIdUnavailableException ex) {
			settled();
			if (faultsAreOver && this.store.lastRead() != null && !this.claimable.isEmpty()) {
				process().world()
					.violated("%s is refused although it could claim %s: %s".formatted(process().name(),
							this.claimable.keySet(), ex.getMessage()));
			}
			throw ex;
		}
	}

	/**
	 * Returns the worker IDs of the process.
	 */
	List<Long> workerIds() {
		return this.keeper.status().workerIds();
	}

	/**
	 * Notifies the process, after a moment, that the store can be reached again. A client
	 * of Leaf servers is not notified, and notices this by itself.
	 */
	void storeIsBack() {
		if (!this.isClient) {
			process().world().in(process().world().random().upTo(LONGEST_RECONNECT), this.store::isBack);
		}
	}

	@Override
	void close() {
		this.keeper.close();
	}

	@Override
	Object status() {
		return this.keeper.status();
	}

	/**
	 * Records which leases the process holds, and which worker IDs it could claim.
	 */
	void settled() {
		this.held = held();
		this.claimable.clear();
		SimulatedLeaseRecords records = this.world.records();
		for (long workerId = 0; workerId <= this.world.snowflakeSettings().layout().maxWorkerId(); workerId++) {
			if (isClaimable(workerId, records.read(workerId))) {
				this.claimable.put(workerId, records.version(workerId));
			}
		}
	}

	private boolean isClaimable(long workerId, @Nullable LeaseRecord record) {
		long now = this.clock.millis();
		// a lease that a state file may hold stays reserved until its end
		boolean erased = !this.world.faults().counts().containsKey(Fault.DISK_FULL);
		if (this.world.claims().largest(process(), workerId, erased) > now) {
			return false;
		}
		return record == null || record.lease().horizon() < now
				|| (record.lease().isReleased() && record.lease().horizon() == now);
	}

	/**
	 * Returns whether, since the last call of {@link #settled}, the lease record of a
	 * worker ID that the process could claim has not changed, or the process has held the
	 * same lease all the time.
	 */
	boolean canServe() {
		return !Collections.disjoint(this.held, held()) || this.claimable.entrySet()
			.stream()
			.anyMatch((entry) -> this.world.records().version(entry.getKey()) == entry.getValue());
	}

	// Returns the owners of the claims that the process holds and that cannot overlap
	// with other claims.
	private Set<String> held() {
		Set<String> owners = new HashSet<>();
		// if the state file cannot be used, the first lease is held only until another
		// lease is found
		if (this.keeper.status().stateFileError() == null) {
			for (long workerId : workerIds()) {
				LeaseRecord record = this.world.records().read(workerId);
				if (record != null && this.world.claims().has(process(), record.lease())) {
					owners.add(record.lease().owner());
				}
			}
		}
		return owners;
	}

	/**
	 * Returns the number of the disk that the process uses.
	 */
	int place() {
		return this.place;
	}

	/**
	 * Checks that no two processes use the same timestamp of a worker ID, and that no
	 * process passes the horizon of its lease record.
	 */
	private static final class LaneChecker extends IdChecker {

		private final LeaseWorld world;

		private final Process process;

		LaneChecker(Process process, LeaseWorld world) {
			super(process, (world.snowflakeSettings().maxLanes() == 1) ? new Order() : null);
			this.world = world;
			this.process = process;
		}

		@Override
		void check(long id, long callStart) {
			SnowflakeId decoded = this.world.snowflakeSettings().layout().decode(id);
			long timestamp = decoded.timestamp().toEpochMilli();
			String wrong = this.world.claims().use(this.process, id, decoded.workerId(), timestamp, callStart);
			if (wrong != null) {
				violated(id, wrong + ": " + decoded);
			}
		}

	}

}
