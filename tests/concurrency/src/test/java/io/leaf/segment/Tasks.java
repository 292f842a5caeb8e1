// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An executor without threads. It runs a task in the thread that submits it, or, once it
 * has been told to hold them, in the one that asks for it. Delays do not count.
 */
final class Tasks extends ScheduledThreadPoolExecutor {

	private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();

	private boolean holding;

	Tasks() {
		super(0);
	}

	/**
	 * Holds the tasks that are submitted from now on. To be called before they race.
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
		// nobody asks for it
		return null;
	}

	/**
	 * Runs the task held first.
	 */
	void runNext() {
		this.held.remove().run();
	}

	/**
	 * Runs all the tasks held, and those that they submit.
	 */
	void runAll() {
		for (Runnable task = this.held.poll(); task != null; task = this.held.poll()) {
			task.run();
		}
	}

}
