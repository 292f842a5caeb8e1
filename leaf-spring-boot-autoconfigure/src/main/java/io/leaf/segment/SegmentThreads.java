// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaf.support.LibraryThread;

/**
 * The two threads of a generator that use the store.
 */
final class SegmentThreads extends ScheduledThreadPoolExecutor {

	// Callers submit tasks: to fetch a segment, which one caller per segment does, and to
	// look up a key. That takes the lock of the queue for a moment and starts no thread,
	// since all are running. On two processors, with 4 to 64 threads on one key or on a
	// key each, and thousands of segments per second, the 99.99th percentile of such a
	// call was 0.1 to 15 ms. Through a queue without a lock, whose own thread passed the
	// tasks on, it was 0.2 to 106 ms.

	/**
	 * As many as the private pool has connections: further threads would only wait for
	 * one.
	 */
	private static final int THREADS = 2;

	/**
	 * More than the queue needs.
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
	 * @throws StackOverflowError if the calling thread has little of its stack left: an
	 * overflow inside the queue would leave its lock locked forever
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
