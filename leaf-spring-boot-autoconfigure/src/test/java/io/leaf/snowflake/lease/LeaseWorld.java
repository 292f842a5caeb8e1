// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.leaf.ManualScheduler;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.ManualTime;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Processes that share a store, with manual clocks. Every ID that a process issues is
 * compared with those of the other processes.
 */
final class LeaseWorld {

	static final Duration WINDOW = Duration.ofHours(1);

	static final Duration STEP = Duration.ofMillis(500);

	private final ManualScheduler time = new ManualScheduler();

	private final ManualTime trueTime = new ManualTime(this.time);

	private final Random random = new Random(7);

	private final Map<Long, Process> issued = new HashMap<>();

	private final List<Process> processes = new ArrayList<>();

	final InMemoryWorkerLeaseStore records = new InMemoryWorkerLeaseStore(() -> now());

	SnowflakeLayout layout = SnowflakeLayout.LEAF;

	Duration maxDrift = Duration.ofSeconds(10);

	Duration window = WINDOW;

	int maxLanes = 1;

	/**
	 * Returns the true time.
	 */
	long now() {
		return this.trueTime.millis();
	}

	/**
	 * Lets time pass for all processes.
	 */
	void pass(Duration duration) {
		long steps = duration.dividedBy(STEP);
		for (long i = 0; i < steps; i++) {
			this.time.tick(STEP);
			List.copyOf(this.processes).forEach((process) -> process.pass(STEP));
		}
		Duration rest = duration.minus(STEP.multipliedBy(steps));
		this.time.tick(rest);
		List.copyOf(this.processes).forEach((process) -> process.pass(rest));
	}

	void passWithoutProcesses(Duration duration) {
		this.time.tick(duration);
	}

	void stopAll() {
		List.copyOf(this.processes).forEach(Process::stop);
	}

	Process process(String host) {
		return process(host, null, Duration.ZERO);
	}

	Process process(String host, InMemorySavedLeaseStore.@Nullable Disk disk, Duration clockOffset) {
		return new Process(host, disk, clockOffset);
	}

	/**
	 * One process, from startup to its end.
	 */
	final class Process {

		final InMemoryWorkerLeaseStore store = LeaseWorld.this.records.another();

		final ManualScheduler scheduler = new ManualScheduler();

		final ManualTime wall = new ManualTime(this.scheduler);

		final SnowflakeLanes lanes;

		final SnowflakeIdGenerator generator;

		final LeaseKeeper keeper;

		private final @Nullable InMemorySavedLeaseStore stateFile;

		boolean paused;

		private long last = -1;

		Process(String host, InMemorySavedLeaseStore.@Nullable Disk disk, Duration clockOffset) {
			this.stateFile = (disk != null) ? new InMemorySavedLeaseStore(disk) : null;
			this.wall.step(Duration.ofMillis(now() - ManualTime.START.toEpochMilli()).plus(clockOffset));
			GeneratorClock clock = new GeneratorClock(this.wall, this.scheduler::nanoTime, LeaseWorld.this.maxDrift);
			this.lanes = new SnowflakeLanes(new SnowflakeSettings(LeaseWorld.this.layout, Duration.ofMillis(100),
					LeaseWorld.this.maxLanes, Duration.ofMillis(1)), clock);
			this.generator = new SnowflakeIdGenerator(this.lanes);
			LeaseSettings settings = new LeaseSettings("orders", host, Duration.ofSeconds(3), LeaseWorld.this.window,
					LeaseWorld.this.maxDrift);
			this.keeper = new LeaseKeeper(this.store, this.stateFile, this.lanes, settings,
					new LeaseThreads(this.scheduler, this.scheduler, (nanos) -> {
					}), LeaseWorld.this.random::nextLong);
		}

		Process start() {
			this.keeper.start();
			LeaseWorld.this.processes.add(this);
			return this;
		}

		private void pass(Duration duration) {
			if (this.paused) {
				this.scheduler.tick(duration);
			}
			else {
				this.scheduler.advance(duration);
			}
		}

		/**
		 * Ends the process as {@code kill -9} does.
		 */
		void kill() {
			LeaseWorld.this.processes.remove(this);
			this.scheduler.shutdownNow();
			if (this.stateFile != null) {
				this.stateFile.close();
			}
		}

		void stop() {
			LeaseWorld.this.processes.remove(this);
			this.keeper.close();
		}

		/**
		 * Draws IDs until the lanes can issue no more, which requests a further lane.
		 */
		void demandFurtherLane() {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> {
				while (true) {
					this.generator.nextIds("order", 4096);
				}
			});
		}

		/**
		 * Draws an ID. Its timestamp and worker ID must not have been used by another
		 * process, and with one lane it must be larger than the ID before.
		 */
		SnowflakeId next() {
			long id = this.generator.nextId("order");
			if (LeaseWorld.this.maxLanes == 1 && id <= this.last) {
				throw new AssertionError("%d after %d".formatted(id, this.last));
			}
			this.last = id;
			SnowflakeId decoded = LeaseWorld.this.layout.decode(id);
			long record = (decoded.timestamp().toEpochMilli() << 10) | decoded.workerId();
			Process other = LeaseWorld.this.issued.putIfAbsent(record, this);
			if (other != null && other != this) {
				throw new AssertionError("%s was used by another process".formatted(decoded));
			}
			return decoded;
		}

		long workerId() {
			return this.keeper.status().workerIds().get(0);
		}

		long horizon() {
			return this.lanes.all().get(0).horizon();
		}

		Lease record() {
			return LeaseWorld.this.records.read(workerId()).lease();
		}

	}

}
