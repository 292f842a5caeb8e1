// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;

/**
 * A world in which processes share worker IDs.
 */
final class LeaseWorld extends SharedStoreWorld<LeaseProcess> {

	/**
	 * The sum of two report intervals and the longest pause of a caller between two
	 * requests.
	 */
	private static final Duration RECOVERY = Duration.ofSeconds(2 * 3 + 4);

	private static final int HOSTS = 3;

	private static final int MAX_PROCESSES = 4;

	private static final int MAX_STARTS = 12;

	/**
	 * The largest apparent error of a clock that is right, in milliseconds. Such a clock
	 * seems to be wrong because messages take time.
	 */
	private static final long CLOCK_TOLERANCE = 5000;

	/**
	 * For how long after it was written a lease record certainly belongs to a live
	 * member, in milliseconds.
	 */
	private static final long LIVE_MEMBER_AGE = 20_000;

	private final SnowflakeSettings snowflakeSettings;

	private final Duration window;

	private final Duration maxDrift;

	private final SimulatedLeaseRecords records;

	private final List<SimulatedDisk> disks = new ArrayList<>();

	private final Claims claims = new Claims();

	/**
	 * Creates a world.
	 * @param servers whether some processes are clients of Leaf servers
	 */
	LeaseWorld(World world, boolean servers) {
		super(world, MAX_PROCESSES, MAX_STARTS, servers);
		RandomSource random = world.random();
		// few worker IDs, so that they often change hands, and few numbers per tick
		SnowflakeLayout layout = new SnowflakeLayout(41, (int) random.between(1, 5), (int) random.between(1, 3),
				Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		int lanes = random.chance(0.2) ? 2 : 1;
		this.snowflakeSettings = new SnowflakeSettings(layout, Duration.ofMillis(random.pick(0, 100)), lanes,
				Duration.ofSeconds(2));
		this.window = random.pick(Duration.ofSeconds(9), Duration.ofSeconds(20), Duration.ofHours(1));
		this.maxDrift = random.pick(Duration.ofSeconds(10), Duration.ofDays(3));
		this.records = new SimulatedLeaseRecords(world, layout, this.claims);
		for (int i = 0; i < HOSTS; i++) {
			this.disks.add(new SimulatedDisk());
		}
	}

	@Override
	Server server() {
		return this.records;
	}

	@Override
	void begin() {
		start();
		start();
	}

	@Override
	void repair() {
		this.disks.forEach((disk) -> disk.full(false));
		start();
	}

	@Override
	Duration recovery() {
		return RECOVERY;
	}

	@Override
	void settled(LeaseProcess process) {
		process.settled();
	}

	@Override
	boolean canServe(LeaseProcess process) {
		return process.canServe();
	}

	@Override
	void reachable(LeaseProcess process) {
		process.storeIsBack();
	}

	/**
	 * Returns whether most of the clocks that are known from the given lease records are
	 * right.
	 */
	boolean mostClocksAreRight(List<LeaseRecord> read) {
		Set<String> right = new HashSet<>();
		Set<String> wrong = new HashSet<>();
		for (LeaseRecord record : read) {
			long stored = record.storedAt();
			if (Math.abs(record.lease().reported() - stored) > CLOCK_TOLERANCE) {
				wrong.add(record.lease().host());
			}
			else if (!record.lease().isReleased() && stored > this.records.clock() - LIVE_MEMBER_AGE) {
				right.add(record.lease().host());
			}
		}
		right.removeAll(wrong);
		return wrong.isEmpty() || right.size() > wrong.size();
	}

	@Override
	void start() {
		start((int) world().random().between(0, HOSTS - 1));
	}

	private LeaseProcess start(int place) {
		RandomSource random = world().random();
		boolean sameAddress = faults().happens(Fault.SAME_ADDRESS);
		String host = "10.0.0.%d:8080".formatted(sameAddress ? 0 : place);
		double rate = faults().happens(Fault.CLOCK_RATE) ? random.pick(0.5, 0.9, 0.999, 1.001, 1.1, 2.0) : 1;
		Process process = new Process(world(), "%s@%d".formatted(nextName(), place), rate,
				faults().happens(Fault.CLOCK_STEP) ? step() : 0);
		LeaseProcess added = new LeaseProcess(this, process, host, place, drawServers());
		add(added);
		return added;
	}

	@Override
	void start(LeafServer server) {
		LeaseServerProcess process = new LeaseServerProcess(this, new Process(world(), server.nextName(), 1, 0));
		server.listen(process, process.servlet(), faults());
	}

	// Often starts another process in the same place at once.
	@Override
	void ended(LeaseProcess process) {
		if (mayStart() && !faults().areOver() && world().random().chance(0.5)) {
			LeaseProcess restarted = start(process.place());
			if (faults().has(Fault.LINK_CUT) && world().random().chance(0.5)) {
				faults().count(Fault.LINK_CUT);
				cut(restarted, faultDuration());
			}
		}
	}

	private void startWithUnavailableStore(int place) {
		if (mayStart()) {
			cut(start(place), faultDuration());
		}
	}

	private long step() {
		RandomSource random = world().random();
		long step = random.upTo(TimeUnit.DAYS.toNanos(1));
		return random.chance(0.5) ? step : -step;
	}

	@Override
	boolean inject(Fault fault, LeaseProcess process, long nanos) {
		SimulatedDisk disk = disk(process.place());
		switch (fault) {
			case CLOCK_STEP -> process.process()
				.stepWallClock(world().random().chance(0.3) ? -process.process().wallOffset() : step());
			case DISK_FULL -> {
				disk.full(true);
				process.process().trace("disk full");
				world().in(nanos, () -> disk.full(false));
			}
			case STATE_FILE_LOST -> disk.write(null);
			case STATE_FILE_COPIED -> copyFile(process);
			case STATE_FILE_OF_ANOTHER_STORE -> {
				process.process().kill();
				long now = this.records.clock();
				disk.writeForAnotherStore(
						new SavedLease(randomWorkerId(), "owner in another store", now + this.window.toMillis(), now));
				startWithUnavailableStore(process.place());
			}
			case PROCESS_COPIED -> {
				return copyProcess(process);
			}
			case STORE_WENT_BACK -> {
				Map<Long, LeaseRecord> backup = this.records.backup();
				world().in(nanos, () -> loseWrites(process, () -> this.records.restore(backup)));
			}
			case LEASE_RECORD_DELETED -> {
				List<Long> own = process.workerIds();
				long workerId = (own.isEmpty() || world().random().chance(0.3)) ? randomWorkerId() : own.get(0);
				loseWrites(process, () -> this.records.lose(workerId, null));
			}
			default -> {
				return super.inject(fault, process, nanos);
			}
		}
		return true;
	}

	// Copies a state file to the place of a process, while the process runs or, as with a
	// copied container, before another process starts there.
	private void copyFile(LeaseProcess process) {
		RandomSource random = world().random();
		boolean starts = random.chance(0.5);
		if (starts) {
			process.process().kill();
		}
		disk(process.place()).copyFrom(random.pick(this.disks));
		if (starts) {
			ended(process);
		}
	}

	// Lets the store lose writes. The process notices this at once, or is killed and
	// another process starts in its place.
	private void loseWrites(LeaseProcess process, Runnable loss) {
		if (faults().areOver()) {
			return;
		}
		process.process().trace("the store loses writes");
		loss.run();
		if (world().random().chance(0.3)) {
			process.process().kill();
			start(process.place());
		}
		else {
			reachable(process);
		}
	}

	// Copies a process, like a cloned machine or a disk whose copy cannot be recognised.
	private boolean copyProcess(LeaseProcess process) {
		SavedLease content = disk(process.place()).content();
		int place = (int) world().random().between(0, HOSTS - 1);
		if (content == null || !disk(process.place()).isUsable() || disk(place).isLocked() || !mayStart()) {
			return false;
		}
		disk(place).write(content);
		this.claims.copied(content.owner());
		startWithUnavailableStore(place);
		return true;
	}

	private long randomWorkerId() {
		return world().random().between(0, this.snowflakeSettings.layout().maxWorkerId());
	}

	SimulatedDisk disk(int place) {
		return this.disks.get(place);
	}

	LeaseSettings settings(String host) {
		return new LeaseSettings("orders", host, Duration.ofSeconds(3), this.window, this.maxDrift);
	}

	SnowflakeSettings snowflakeSettings() {
		return this.snowflakeSettings;
	}

	Claims claims() {
		return this.claims;
	}

	@Override
	int issuedIds() {
		return this.claims.issued();
	}

	SimulatedLeaseRecords records() {
		return this.records;
	}

}
