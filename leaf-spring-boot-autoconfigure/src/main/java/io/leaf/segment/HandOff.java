// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.leaf.support.LibraryThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes tasks of callers on to an executor without a lock: scheduled executors take one
 * for each task, and may start a thread.
 * <p>
 * Safe for use by any number of threads, whether interrupted or not. A task may be run
 * twice if the executor fails halfway.
 */
final class HandOff extends ThreadPoolExecutor {

	// A pool whose only thread runs already does nothing for a task but add it to its
	// queue, and this queue takes no lock.

	private static final Logger logger = LoggerFactory.getLogger(HandOff.class);

	private final Executor executor;

	/**
	 * Creates a hand-off and starts its thread, a daemon.
	 * @param executor what tasks are passed on to
	 */
	HandOff(Executor executor) {
		super(1, 1, 0, TimeUnit.NANOSECONDS, new LinkedTransferQueue<>(),
				(task) -> new LibraryThread(task, "leaf-segment-hand-off"));
		this.executor = executor;
		prestartCoreThread();
	}

	@Override
	public void execute(Runnable task) {
		super.execute(() -> passOn(task));
	}

	private void passOn(Runnable task) {
		try {
			this.executor.execute(task);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Nothing is fetched or looked up any more, since the generator is closing");
		}
		// out of memory, most likely: the caller has gone, and nobody else would try
		// again
		catch (Throwable ex) {
			try {
				task.run();
			}
			finally {
				logger.warn("A task was not passed on to the threads that fetch segments, but run at once", ex);
			}
		}
	}

}
