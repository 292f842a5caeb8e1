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

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore.Fault;
import io.leaf.snowflake.lease.LeaseWorld.Process;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that start, end, crash and pause on few worker IDs, with clocks that step,
 * disks that fill up and a store whose answers go astray, in schedules drawn from a seed.
 * {@link LeaseWorld} checks every ID.
 */
class LeaseSimulationTests {

	private static final int SEEDS = 100;

	private static final int STEPS = 300;

	private static final int HOSTS = 3;

	private static final int MAX_PROCESSES = 5;

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 4 })
	void noIdIsIssuedTwice(int block) {
		int issued = 0;
		for (int seed = block * SEEDS; seed < (block + 1) * SEEDS; seed++) {
			issued += new Run(seed).play();
		}
		// the schedules are such that most calls are served
		assertThat(issued).isGreaterThan(SEEDS * STEPS);
	}

	private static final class Run {

		private final int seed;

		private final Random random;

		private final LeaseWorld world = new LeaseWorld();

		private final InMemoryLeaseMemory.Disk[] disks = new InMemoryLeaseMemory.Disk[HOSTS];

		private final List<Running> running = new ArrayList<>();

		private final List<Process> all = new ArrayList<>();

		private int issued;

		Run(int seed) {
			this.seed = seed;
			this.random = new Random(seed);
			this.world.layout = new SnowflakeLayout(41, 2, 2, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch());
			this.world.window = Duration.ofSeconds(30);
			this.world.maxDrift = this.random.nextBoolean() ? Duration.ofSeconds(10) : Duration.ofDays(3);
			for (int host = 0; host < HOSTS; host++) {
				this.disks[host] = new InMemoryLeaseMemory.Disk();
			}
		}

		int play() {
			StringBuilder trace = new StringBuilder();
			try {
				for (int step = 0; step < STEPS; step++) {
					trace.append(step).append(": ").append(act()).append('\n');
					this.world.pass(Duration.ofMillis(this.random.nextInt(40) * 100L));
					this.running.forEach(this::draw);
				}
				return this.issued;
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError("Seed %d:%n%s".formatted(this.seed, trace), ex);
			}
		}

		private void draw(Running running) {
			try {
				for (int i = this.random.nextInt(6); i > 0; i--) {
					running.process.next();
					this.issued++;
				}
			}
			catch (IdGenerationException ex) {
				// no lease at present; that is allowed
			}
		}

		private String act() {
			Running some = this.running.isEmpty() ? null : this.running.get(this.random.nextInt(this.running.size()));
			int action = this.random.nextInt(12);
			if (some == null || (action == 0 && this.running.size() < MAX_PROCESSES)) {
				return start();
			}
			switch (action) {
				case 1 -> {
					end(some).process.kill();
					return "kill " + some.host;
				}
				case 2 -> {
					end(some).process.stop();
					return "stop " + some.host;
				}
				case 3, 4 -> {
					some.process.paused = !some.process.paused;
					return "pause " + some.host + " " + some.process.paused;
				}
				case 5, 6 -> {
					Fault fault = Fault.values()[this.random.nextInt(Fault.values().length)];
					some.process.store.failWrites(fault);
					return some.host + " " + fault;
				}
				case 7 -> {
					this.all.get(this.random.nextInt(this.all.size())).store.deliver();
					return "deliver";
				}
				case 8 -> {
					boolean down = this.random.nextBoolean();
					some.process.store.down(down);
					return "store of " + some.host + (down ? " down" : " up");
				}
				case 9 -> {
					Duration[] steps = { Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofHours(1),
							Duration.ofDays(1) };
					Duration step = steps[this.random.nextInt(steps.length)];
					Duration signed = this.random.nextBoolean() ? step : step.negated();
					some.process.wall.step(signed);
					return "clock of " + some.host + " " + signed;
				}
				case 10 -> {
					InMemoryLeaseMemory.Disk disk = this.disks[some.host];
					disk.full = this.random.nextBoolean();
					disk.writtenAllTheSame = this.random.nextBoolean();
					return "disk of " + some.host + " full: " + disk.full;
				}
				default -> {
					this.world.pass(Duration.ofSeconds(this.random.nextInt(40)));
					return "time passes";
				}
			}
		}

		private String start() {
			int host = this.random.nextInt(HOSTS);
			Duration offset = (this.random.nextInt(4) == 0) ? Duration.ofSeconds(this.random.nextInt(40) - 20)
					: Duration.ZERO;
			Process process = this.world.process("host:" + host, this.disks[host], offset);
			boolean down = this.random.nextInt(4) == 0;
			process.store.down(down);
			this.all.add(process);
			try {
				process.start();
				this.running.add(new Running(process, host));
				return "start " + host + (down ? " without store" : "");
			}
			catch (IdGenerationException ex) {
				return "no start " + host + ": " + ex.getMessage();
			}
		}

		private Running end(Running some) {
			this.running.remove(some);
			return some;
		}

	}

	private record Running(Process process, int host) {

	}

}
