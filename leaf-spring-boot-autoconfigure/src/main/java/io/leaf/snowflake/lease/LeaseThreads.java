// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

import io.leaf.support.LibraryThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two threads of a {@link LeaseKeeper}, and the pause between attempts at startup.
 *
 * @param store runs tasks that wait for the store, one at a time
 * @param local runs tasks that must not wait for the store, one at a time
 * @param pause makes the calling thread wait for the given number of nanoseconds
 */
record LeaseThreads(ScheduledExecutorService store, ScheduledExecutorService local, LongConsumer pause) {

	private static final Logger logger = LoggerFactory.getLogger(LeaseThreads.class);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

	static LeaseThreads system() {
		return new LeaseThreads(executor("leaf-lease-store"), executor("leaf-lease-clock"), LockSupport::parkNanos);
	}

	private static ScheduledExecutorService executor(String threadName) {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
				(task) -> new LibraryThread(task, threadName));
		executor.setRemoveOnCancelPolicy(true);
		executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
		return executor;
	}

	void onStore(Runnable task) {
		later(this.store, Duration.ZERO, task);
	}

	void onLocal(Runnable task) {
		later(this.local, Duration.ZERO, task);
	}

	static void later(ScheduledExecutorService executor, Duration delay, Runnable task) {
		try {
			executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("A task was dropped because the keeper is closing");
		}
	}

	static void repeat(ScheduledExecutorService executor, Duration interval, Runnable task) {
		executor.scheduleWithFixedDelay(guarded(task), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
	}

	// catches every throwable, because a periodic task that throws would never run again
	private static Runnable guarded(Runnable task) {
		return () -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				try {
					logger.error("A task of the lease keeper failed", ex);
				}
				catch (Throwable unlogged) {
					// if memory is exhausted, logging may fail as well
				}
			}
		};
	}

	// waits for the running task, and returns whether it has ended within the timeout
	static boolean stop(ExecutorService executor) {
		executor.shutdown();
		try {
			if (executor.awaitTermination(STOP_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
				return true;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		executor.shutdownNow();
		return false;
	}

}
