// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaf.support.LibraryThread;

/**
 * The two threads of a generator that use the store.
 */
final class SegmentThreads extends ScheduledThreadPoolExecutor {

	// Callers hand over three kinds of tasks: fetches (one caller per segment), look-ups
	// of keys, and attempts for keys with global ordering. Handing over takes the queue's
	// lock for a moment; it starts no thread, since both threads are running. Measured on
	// two processors, with 4 to 64 threads that share one key or use one key each, and
	// thousands of segments per second: the 99.99th percentile of the calls that hand
	// over a task is 0.1 to 15 ms. With a lock-free queue and a thread that forwards the
	// tasks, it is 0.2 to 106 ms.

	/**
	 * As many as the private pool has connections: further threads would only wait for
	 * one.
	 */
	private static final int THREADS = 2;

	/**
	 * How many stack frames must be free to hand a task over: more than the queue needs.
	 */
	private static final int STACK_FRAMES = 300;

	SegmentThreads() {
		super(THREADS);
		AtomicInteger number = new AtomicInteger();
		setThreadFactory((task) -> new LibraryThread(task, "leaf-segment-" + number.incrementAndGet()));
		setRemoveOnCancelPolicy(true);
		setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
		prestartAllCoreThreads();
	}

	/**
	 * Executes a task.
	 * @throws StackOverflowError if the calling thread has little stack left: an overflow
	 * inside the queue would leave the queue's lock locked forever
	 */
	@Override
	public void execute(Runnable task) {
		requireStack(STACK_FRAMES);
		super.execute(task);
	}

	private static int requireStack(int frames) {
		return (frames == 0) ? 0 : 1 + requireStack(frames - 1);
	}

}
