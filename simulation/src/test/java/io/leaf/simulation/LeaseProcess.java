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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SimulatedLanes;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.SimulatedKeeper;

/**
 * A process that issues snowflake IDs.
 */
final class LeaseProcess extends IssuingProcess {

	private static final int CALLERS = 2;

	private static final long LONGEST_HOLD_UP = TimeUnit.MINUTES.toNanos(1);

	private final LeaseWorld world;

	private final int place;

	private final GeneratorClock clock;

	private final SnowflakeLanes lanes;

	private final LeaseKeeper keeper;

	// the versions of the registers that it could claim when everything settled
	private final Map<Long, Long> claimable = new HashMap<>();

	// Set between a caller's begin and its first wait only: the library's own threads
	// read the clock under a lock, which on a real machine would keep the others out.
	private boolean drawing;

	LeaseProcess(LeaseWorld world, Process process, String host, int place) {
		super(process, world.registers(), world.faults());
		this.world = world;
		this.place = place;
		Duration maxDrift = world.settings(host).maxDrift();
		this.clock = new GeneratorClock(process.wallClock(), this::nanoTime, maxDrift);
		this.lanes = SimulatedLanes.create(world.snowflakeSettings(), this.clock, process::nanoTime, this::park,
				process.world().dice());
		this.keeper = SimulatedKeeper.create(
				new SimulatedLeaseStore(process, world.registers(), world.claims(), link()),
				new SimulatedMemory(process, world.disk(place), world.claims(), world.faults()), this.lanes,
				world.settings(host), new SimulatedExecutor(process, World.Role.LIBRARY, 1),
				new SimulatedExecutor(process, World.Role.LIBRARY, 1), process::hold, process.world().dice());
		SnowflakeIdGenerator generator = new SnowflakeIdGenerator(this.lanes);
		LaneChecker checker = new LaneChecker(process, world);
		for (int i = 0; i < CALLERS; i++) {
			add(new Caller(process, i, (count) -> draw(generator, count), checker));
		}
	}

	// A caller may be held up right after it has read the clock, for as long as it takes
	// others to use that time.
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
		// may return early, as the real one may: being woken up looks the same
		process().hold(process().trueTime(process().world().dice().upTo(nanos)) + 1);
	}

	@Override
	void open() {
		this.keeper.start();
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
	 * Notes which worker IDs it could claim.
	 */
	void settled() {
		long now = this.clock.millis();
		SimulatedRegisters registers = this.world.registers();
		for (long workerId = 0; workerId <= this.world.snowflakeSettings().layout().maxWorkerId(); workerId++) {
			LeaseRegister register = registers.read(workerId);
			if (register == null || register.lease().horizon() < now
					|| (register.lease().isReleased() && register.lease().horizon() == now)) {
				this.claimable.put(workerId, registers.version(workerId));
			}
		}
	}

	/**
	 * Returns whether one of them is still as it was then.
	 */
	boolean couldClaim() {
		return this.claimable.entrySet()
			.stream()
			.anyMatch((entry) -> this.world.registers().version(entry.getKey()) == entry.getValue());
	}

	/**
	 * Returns which disk it has.
	 */
	int place() {
		return this.place;
	}

}
