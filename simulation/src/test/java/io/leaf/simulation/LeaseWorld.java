/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.LeaseSettings;

/**
 * Processes that share worker IDs.
 */
final class LeaseWorld implements Schedule {

	/**
	 * How long it may take until every caller is served again after all faults have
	 * ended, and what was under way by then: two report intervals, and the time for which
	 * a caller has nothing to ask for.
	 */
	static final Duration RECOVERY = Duration.ofSeconds(2 * 3 + 4);

	private static final long BETWEEN_FAULTS = TimeUnit.SECONDS.toNanos(8);

	private static final long LONGEST_FAULT = TimeUnit.SECONDS.toNanos(40);

	private static final int HOSTS = 3;

	private static final int MOST_PROCESSES = 4;

	private static final int MOST_STARTS = 12;

	private final World world;

	private final Faults faults;

	private final SnowflakeSettings snowflakeSettings;

	private final Duration window;

	private final Duration maxDrift;

	private final SimulatedRegisters registers;

	private final List<SimulatedDisk> disks = new ArrayList<>();

	private final List<LeaseProcess> processes = new ArrayList<>();

	private final Claims claims = new Claims();

	private final LongSet issued = new LongSet();

	private int starts;

	private boolean checked;

	LeaseWorld(World world) {
		this.world = world;
		Dice dice = world.dice();
		this.faults = new Faults(world);
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
	public void play() {
		start();
		start();
		this.world.in(this.world.dice().upTo(BETWEEN_FAULTS), this::fault);
		this.world.in(Faults.DURATION, this::end);
		this.world.runWhile(() -> !this.checked, Long.MAX_VALUE);
	}

	private void end() {
		this.faults.end();
		this.registers.down(false);
		for (LeaseProcess process : this.processes) {
			process.link().cut(false);
			disk(process).full(false);
		}
		this.world.calmDown(() -> {
			long settled = this.world.now();
			this.processes.removeIf((process) -> !process.isServing());
			this.world.in(recovery(), () -> check(settled));
		});
	}

	// who has a slow clock takes longer, by everybody else's
	private long recovery() {
		return RECOVERY.toNanos() * (this.faults.counts().containsKey(Fault.CLOCK_RATE) ? 2 : 1);
	}

	private void check(long settled) {
		this.processes.forEach((process) -> checkServed(process, settled));
		this.checked = true;
	}

	private void checkServed(LeaseProcess process, long settled) {
		if (!process.process().isAlive() || this.registers.unused().isEmpty()) {
			// with all worker IDs taken there may be none for this one
			return;
		}
		for (Caller caller : process.callers()) {
			if (caller.served() < settled) {
				this.world.violated("%s: a caller was not served within %s of the end of all faults: %s"
					.formatted(process.process().name(), RECOVERY, process.status()));
			}
		}
	}

	private void start() {
		start((int) this.world.dice().between(0, HOSTS - 1));
	}

	private LeaseProcess start(int place) {
		Dice dice = this.world.dice();
		boolean sameAddress = this.faults.happens(Fault.SAME_ADDRESS);
		String host = "10.0.0.%d:8080".formatted(sameAddress ? 0 : place);
		double rate = this.faults.happens(Fault.CLOCK_RATE) ? dice.pick(0.5, 0.9, 0.999, 1.001, 1.1, 2.0) : 1;
		Process process = new Process(this.world, "p%d@%d".formatted(this.starts++, place), rate,
				this.faults.happens(Fault.CLOCK_STEP) ? step() : 0);
		LeaseProcess added = new LeaseProcess(this, process, host, place);
		this.processes.add(added);
		added.start();
		return added;
	}

	// As soon as a process has ended, there is often another in its place.
	private void restart(LeaseProcess ended) {
		if (this.starts < MOST_STARTS && !this.faults.areOver() && this.world.dice().chance(0.5)) {
			LeaseProcess restarted = start(ended.place());
			if (this.faults.has(Fault.LINK_CUT) && this.world.dice().chance(0.5)) {
				this.faults.count(Fault.LINK_CUT);
				cut(restarted);
			}
		}
	}

	private void cut(LeaseProcess process) {
		process.link().cut(true);
		process.process().trace("link cut");
		this.world.in(this.faults.duration(LONGEST_FAULT), () -> process.link().cut(false));
	}

	private long step() {
		Dice dice = this.world.dice();
		long step = dice.upTo(TimeUnit.DAYS.toNanos(1));
		return dice.chance(0.5) ? step : -step;
	}

	private void fault() {
		if (this.faults.areOver()) {
			return;
		}
		Dice dice = this.world.dice();
		this.processes.removeIf((process) -> !process.process().isAlive());
		if (this.processes.isEmpty() || (this.processes.size() < MOST_PROCESSES && dice.chance(0.3))) {
			if (this.starts < MOST_STARTS) {
				start();
			}
		}
		else {
			fault(dice.pick(this.processes));
		}
		this.world.in(dice.upTo(BETWEEN_FAULTS), this::fault);
	}

	private void fault(LeaseProcess process) {
		Dice dice = this.world.dice();
		Fault fault = dice.pick(Fault.values());
		if (!this.faults.has(fault) || !process.isServing()) {
			return;
		}
		long nanos = this.faults.duration(LONGEST_FAULT);
		switch (fault) {
			case CRASH -> {
				process.process().kill();
				restart(process);
			}
			case STOP -> process.stop(() -> restart(process));
			case PAUSE -> process.process().pause(nanos);
			case CLOCK_STEP -> process.process().stepWallClock(step());
			case STORE_DOWN -> {
				this.registers.down(true);
				process.process().trace("store down");
				this.world.in(nanos, () -> this.registers.down(false));
			}
			case LINK_CUT -> cut(process);
			case SESSION_LOST -> process.workerIds().forEach(this.registers::sessionLost);
			case DISK_FULL -> {
				disk(process).full(true);
				process.process().trace("disk full");
				this.world.in(nanos, () -> disk(process).full(false));
			}
			case STATE_FILE_LOST -> disk(process).write(null);
			case STATE_FILE_COPIED -> disk(process).copyFrom(dice.pick(this.disks));
			default -> {
				// happens elsewhere, or in another world
				return;
			}
		}
		this.faults.count(fault);
	}

	private SimulatedDisk disk(LeaseProcess process) {
		return disk(process.place());
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
	public Faults faults() {
		return this.faults;
	}

	@Override
	public int issuedIds() {
		return this.issued.size();
	}

	LongSet issued() {
		return this.issued;
	}

	SimulatedRegisters registers() {
		return this.registers;
	}

}
