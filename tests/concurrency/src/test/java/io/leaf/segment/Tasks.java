// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An executor without threads. It runs a task in the thread that submits the task or,
 * after {@link #hold}, in the thread that calls {@link #runNext} or {@link #runAll}. It
 * ignores delays.
 */
final class Tasks extends ScheduledThreadPoolExecutor {

	private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();

	private boolean holding;

	Tasks() {
		super(0);
	}

	/**
	 * Holds the tasks that are submitted from now on. Must be called before threads race
	 * to submit tasks.
	 */
	void hold() {
		this.holding = true;
	}

	@Override
	public void execute(Runnable task) {
		if (this.holding) {
			this.held.add(task);
		}
		else {
			task.run();
		}
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
		execute(task);
		// the library does not use the result
		return null;
	}

	/**
	 * Runs the held task that was submitted first.
	 */
	void runNext() {
		this.held.remove().run();
	}

	/**
	 * Runs all held tasks, and the tasks that they submit.
	 */
	void runAll() {
		for (Runnable task = this.held.poll(); task != null; task = this.held.poll()) {
			task.run();
		}
	}

}
