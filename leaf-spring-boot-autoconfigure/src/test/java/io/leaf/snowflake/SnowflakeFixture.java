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

package io.leaf.snowflake;

import java.time.Duration;
import java.util.Random;

import io.leaf.ManualScheduler;

/**
 * A generator on manual clocks. A caller that waits lets the time pass that it waits for.
 */
class SnowflakeFixture {

	static final long WORKER = 5;

	static final long HOUR = 3_600_000;

	final ManualScheduler scheduler = new ManualScheduler();

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
				new SnowflakeEnvironment(this.scheduler::nanoTime, this::park, new Random(42)));
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
