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
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SimulatedLanes;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.SimulatedKeeper;

/**
 * A process that issues snowflake IDs.
 */
final class LeaseProcess extends IssuingProcess {

	private static final int CALLERS = 2;

	private static final long LONGEST_HOLD_UP = TimeUnit.MINUTES.toNanos(1);

	private final LeaseWorld world;

	private final int place;

	private final SnowflakeLanes lanes;

	private final LeaseKeeper keeper;

	// Set between a caller's begin and its first wait only: the library's own threads
	// read the clock under a lock, which on a real machine would keep the others out.
	private boolean drawing;

	LeaseProcess(LeaseWorld world, Process process, String host, int place) {
		super(process, world.registers(), world.faults());
		this.world = world;
		this.place = place;
		Duration maxDrift = world.settings(host).maxDrift();
		GeneratorClock clock = new GeneratorClock(process.wallClock(), this::nanoTime, maxDrift);
		this.lanes = SimulatedLanes.create(world.snowflakeSettings(), clock, process::nanoTime, this::park,
				process.world().dice());
		this.keeper = SimulatedKeeper.create(
				new SimulatedLeaseStore(process, world.registers(), world.claims(), link()),
				new SimulatedMemory(process, world.disk(place), world.claims(), world.faults()), this.lanes,
				world.settings(host), new SimulatedExecutor(process, World.Role.LIBRARY, 1),
				new SimulatedExecutor(process, World.Role.LIBRARY, 1), process.world().dice());
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
	 * Returns which disk it has.
	 */
	int place() {
		return this.place;
	}

	List<Long> workerIds() {
		return this.keeper.status().workerIds();
	}

}
