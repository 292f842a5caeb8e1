// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaf.support.LibraryThread;

/**
 * The two threads on which a generator uses its store, except to give numbers back.
 */
final class SegmentThreads extends ScheduledThreadPoolExecutor {

	// Callers hand over three kinds of tasks: fetches (one caller per segment), look-ups
	// of keys, and attempts for keys with global ordering. To hand over a task, a caller
	// takes the lock of this executor's queue for a moment. No thread is started, because
	// both threads are already running. A lock-free queue with a thread that forwards the
	// tasks is slower. This was measured on two processors, with 4 to 64 threads that
	// share one key or use one key each, and thousands of segments per second. The
	// 99.99th percentile of the duration of calls that hand over a task is 0.1 to 15 ms
	// with the lock, and 0.2 to 106 ms with the lock-free queue.

	/**
	 * As many threads as Leaf's private pool has connections. Further threads would only
	 * wait for a connection.
	 */
	private static final int THREADS = 2;

	/**
	 * How many stack frames must be free before a task is handed over. The queue needs
	 * fewer.
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
	 * @throws StackOverflowError if the calling thread has too little stack left. This is
	 * checked before the queue is used, because a stack overflow inside the queue could
	 * leave the lock of the queue locked forever
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
