// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SimulatedSegments;

/**
 * A process that allocates numbers from the rows of a table, and issues them.
 */
abstract class TableProcess extends IssuingProcess {

	static final int CALLERS_PER_KEY = 2;

	private static final long LONGEST_HOLD_UP = TimeUnit.SECONDS.toNanos(10);

	private final Faults faults;

	private SegmentIdGenerator generator;

	/**
	 * Creates a process.
	 * @param servers the table, or the Leaf servers that the process uses instead
	 */
	TableProcess(Process process, List<? extends Server> servers, Faults faults) {
		super(process, servers, faults);
		this.faults = faults;
	}

	/**
	 * Creates the generator of this process.
	 */
	final void use(SegmentStore store, SegmentSettings settings) {
		Process process = process();
		SimulatedExecutor executor = new SimulatedExecutor(process, World.Role.LIBRARY, 2) {
			@Override
			public void execute(Runnable task) {
				holdUp();
				super.execute(task);
			}
		};
		this.generator = SimulatedSegments.create(store, settings, executor, process.wallClock(), this::nanoTime,
				process::await, process.world().random());
	}

	final SegmentIdGenerator generator() {
		return this.generator;
	}

	// A thread may be delayed whenever it reads the clock or submits a task.
	private long nanoTime() {
		long time = process().nanoTime();
		holdUp();
		return time;
	}

	private void holdUp() {
		process().check();
		if (this.faults.happens(Fault.THREAD_HELD_UP)) {
			process().trace("a thread is held up");
			process().hold(this.faults.duration(LONGEST_HOLD_UP));
		}
	}

	final long[] draw(String key, int count) {
		return (count == 1) ? new long[] { this.generator.nextId(key) } : this.generator.nextIds(key, count);
	}

	@Override
	final void open() {
		this.generator.start();
	}

	@Override
	final void close() {
		this.generator.close();
	}

	@Override
	final Object status() {
		return this.generator.status();
	}

}
