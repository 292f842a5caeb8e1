// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaf.support.LibraryThread;

/**
 * The threads of a generator: two that work for the store, and one through which callers
 * give them work.
 */
final class SegmentThreads extends ScheduledThreadPoolExecutor {

	/**
	 * As many as the private pool has connections: further threads would only wait there.
	 */
	private static final int THREADS = 2;

	private final HandOff handOff;

	SegmentThreads() {
		super(THREADS, threads());
		setRemoveOnCancelPolicy(true);
		setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
		prestartAllCoreThreads();
		this.handOff = new HandOff(this);
	}

	private static ThreadFactory threads() {
		AtomicInteger number = new AtomicInteger();
		return (task) -> new LibraryThread(task, "leaf-segment-" + number.incrementAndGet());
	}

	/**
	 * Returns what callers give work to: it takes no lock.
	 */
	Executor handOff() {
		return this.handOff;
	}

	@Override
	protected void terminated() {
		this.handOff.shutdownNow();
		super.terminated();
	}

}
