// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.util.Random;

import io.leaf.ManualAsyncExecutor;
import io.leaf.ManualScheduler;

/**
 * A generator with manual clocks. A caller that waits advances the time by its waiting
 * time.
 */
class SnowflakeFixture {

	static final long WORKER = 5;

	static final long HOUR = 3_600_000;

	final ManualScheduler scheduler = new ManualScheduler();

	final ManualAsyncExecutor async = new ManualAsyncExecutor(this.scheduler::nanoTime);

	final ManualTime wall = new ManualTime(this.scheduler);

	final GeneratorClock clock = new GeneratorClock(this.wall, this.scheduler::nanoTime, Duration.ofSeconds(10));

	final SnowflakeSettings settings;

	final SnowflakeLanes lanes;

	final SnowflakeIdGenerator generator;

	long parkedNanos;

	Runnable whileParked = () -> {
	};

	SnowflakeFixture(SnowflakeLayout layout) {
		this(layout, 1);
	}

	SnowflakeFixture(SnowflakeLayout layout, int maxLanes) {
		this.settings = new SnowflakeSettings(layout, Duration.ofMillis(100), maxLanes, Duration.ofSeconds(2));
		this.lanes = new SnowflakeLanes(this.settings, this.clock,
				new SnowflakeEnvironment(this.scheduler::nanoTime, this::park, new Random(42), this.async));
		this.generator = new SnowflakeIdGenerator(this.lanes);
	}

	private void park(long nanos) {
		this.parkedNanos += nanos;
		this.whileParked.run();
		this.scheduler.advance(Duration.ofNanos(nanos));
	}

	SnowflakeLane open() {
		return this.lanes.add(WORKER, 0, now() + HOUR);
	}

	long now() {
		return this.wall.millis();
	}

	SnowflakeId decode(long id) {
		return this.settings.layout().decode(id);
	}

	long next() {
		return this.generator.nextId("order");
	}

}
