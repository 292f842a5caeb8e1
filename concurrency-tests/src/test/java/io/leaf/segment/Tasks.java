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
