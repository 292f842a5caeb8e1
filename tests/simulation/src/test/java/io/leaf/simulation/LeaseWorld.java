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
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;

/**
 * Processes that share worker IDs.
 */
final class LeaseWorld extends SharedStoreWorld<LeaseProcess> {

	/**
	 * Two report intervals, and the time for which a caller has nothing to ask for.
	 */
	private static final Duration RECOVERY = Duration.ofSeconds(2 * 3 + 4);

	private static final int HOSTS = 3;

	private static final int MOST_PROCESSES = 4;

	private static final int MOST_STARTS = 12;

	/**
	 * How far a clock seems to be off, in milliseconds, since messages take their time.
	 */
	private static final long ROUGHLY = 5000;

	/**
	 * For how long, in milliseconds, a register certainly tells of a live member.
	 */
	private static final long MEMBER = 20_000;

	private final SnowflakeSettings snowflakeSettings;

	private final Duration window;

	private final Duration maxDrift;

	private final SimulatedRegisters registers;

	private final List<SimulatedDisk> disks = new ArrayList<>();

	private final Claims claims = new Claims();

	LeaseWorld(World world) {
		super(world, MOST_PROCESSES, MOST_STARTS);
		Dice dice = world.dice();
		// few worker IDs, so that they go from hand to hand; and few numbers a tick
		SnowflakeLayout layout = new SnowflakeLayout(41, (int) dice.between(1, 5), (int) dice.between(1, 3),
				Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
		int lanes = dice.chance(0.2) ? 2 : 1;
		this.snowflakeSettings = new SnowflakeSettings(layout, Duration.ofMillis(dice.pick(0, 100)), lanes,
				Duration.ofSeconds(2));
		this.window = dice.pick(Duration.ofSeconds(9), Duration.ofSeconds(20), Duration.ofHours(1));
		this.maxDrift = dice.pick(Duration.ofSeconds(10), Duration.ofDays(3));
		this.registers = new SimulatedRegisters(world, layout, this.claims);
		for (int i = 0; i < HOSTS; i++) {
			this.disks.add(new SimulatedDisk());
		}
	}

	@Override
	Server server() {
		return this.registers;
	}

	@Override
	void begin() {
		start();
		start();
	}

	@Override
	void mend() {
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
	 * Returns whether most of the clocks that registers tell of are right.
	 */
	boolean mostAreRight(List<LeaseRegister> read) {
		Set<String> right = new HashSet<>();
		Set<String> wrong = new HashSet<>();
		for (LeaseRegister register : read) {
			long stored = register.storedAt();
			if (Math.abs(register.lease().reported() - stored) > ROUGHLY) {
				wrong.add(register.lease().host());
			}
			else if (!register.lease().isReleased() && stored > this.registers.clock() - MEMBER) {
				right.add(register.lease().host());
			}
		}
		right.removeAll(wrong);
		return wrong.isEmpty() || right.size() > wrong.size();
	}

	@Override
	void start() {
		start((int) world().dice().between(0, HOSTS - 1));
	}

	private LeaseProcess start(int place) {
		Dice dice = world().dice();
		boolean sameAddress = faults().happens(Fault.SAME_ADDRESS);
		String host = "10.0.0.%d:8080".formatted(sameAddress ? 0 : place);
		double rate = faults().happens(Fault.CLOCK_RATE) ? dice.pick(0.5, 0.9, 0.999, 1.001, 1.1, 2.0) : 1;
		Process process = new Process(world(), "%s@%d".formatted(nextName(), place), rate,
				faults().happens(Fault.CLOCK_STEP) ? step() : 0);
		LeaseProcess added = new LeaseProcess(this, process, host, place);
		add(added);
		return added;
	}

	// there is often another in its place at once
	@Override
	void ended(LeaseProcess process) {
		if (mayStart() && !faults().areOver() && world().dice().chance(0.5)) {
			LeaseProcess restarted = start(process.place());
			if (faults().has(Fault.LINK_CUT) && world().dice().chance(0.5)) {
				faults().count(Fault.LINK_CUT);
				cut(restarted, faultDuration());
			}
		}
	}

	private void startAway(int place) {
		if (mayStart()) {
			cut(start(place), faultDuration());
		}
	}

	private long step() {
		Dice dice = world().dice();
		long step = dice.upTo(TimeUnit.DAYS.toNanos(1));
		return dice.chance(0.5) ? step : -step;
	}

	@Override
	boolean inflict(Fault fault, LeaseProcess process, long nanos) {
		SimulatedDisk disk = disk(process.place());
		switch (fault) {
			case CLOCK_STEP ->
				process.process().stepWallClock(world().dice().chance(0.3) ? -process.process().wallOffset() : step());
			case DISK_FULL -> {
				disk.full(true);
				process.process().trace("disk full");
				world().in(nanos, () -> disk.full(false));
			}
			case STATE_FILE_LOST -> disk.write(null);
			case STATE_FILE_COPIED -> copyFile(process);
			case STATE_FILE_OF_ANOTHER_STORE -> {
				process.process().kill();
				long now = this.registers.clock();
				disk.writeForAnotherStore(new RememberedLease(randomWorkerId(), "owner in another store",
						now + this.window.toMillis(), now));
				startAway(process.place());
			}
			case PROCESS_COPIED -> {
				return copyProcess(process);
			}
			case STORE_WENT_BACK -> {
				Map<Long, LeaseRegister> backup = this.registers.backup();
				world().in(nanos, () -> loseWrites(process, () -> this.registers.restore(backup)));
			}
			case REGISTER_DELETED -> {
				List<Long> own = process.workerIds();
				long workerId = (own.isEmpty() || world().dice().chance(0.3)) ? randomWorkerId() : own.get(0);
				loseWrites(process, () -> this.registers.lose(workerId, null));
			}
			default -> {
				return super.inflict(fault, process, nanos);
			}
		}
		return true;
	}

	// below a process that runs, or as a copied container brings one along
	private void copyFile(LeaseProcess process) {
		Dice dice = world().dice();
		boolean starts = dice.chance(0.5);
		if (starts) {
			process.process().kill();
		}
		disk(process.place()).copyFrom(dice.pick(this.disks));
		if (starts) {
			ended(process);
		}
	}

	// The process finds out at once, or is started again.
	private void loseWrites(LeaseProcess process, Runnable loss) {
		if (faults().areOver()) {
			return;
		}
		process.process().trace("the store loses writes");
		loss.run();
		if (world().dice().chance(0.3)) {
			process.process().kill();
			start(process.place());
		}
		else {
			reachable(process);
		}
	}

	// as a machine that is cloned goes on, or a copied disk of which nothing tells
	private boolean copyProcess(LeaseProcess process) {
		RememberedLease content = disk(process.place()).content();
		int place = (int) world().dice().between(0, HOSTS - 1);
		if (content == null || !disk(process.place()).isUsable() || disk(place).isLocked() || !mayStart()) {
			return false;
		}
		disk(place).write(content);
		this.claims.copied(content.owner());
		startAway(place);
		return true;
	}

	private long randomWorkerId() {
		return world().dice().between(0, this.snowflakeSettings.layout().maxWorkerId());
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
	public int issuedIds() {
		return this.claims.issued();
	}

	SimulatedRegisters registers() {
		return this.registers;
	}

}
