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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

import io.leaf.support.LibraryThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes tasks of callers on to an executor without a lock: executors of the JDK take one
 * for each task, and may start a thread.
 * <p>
 * Safe for use by any number of threads, whether interrupted or not.
 */
final class HandOff implements Executor {

	// A caller adds its task to the queue and then unparks the thread. The thread takes
	// tasks until it finds none, and then parks. No task is left behind: where the thread
	// found the queue empty before the task was added, the unpark comes after that look,
	// and makes the park return, be it under way or yet to come. Then the thread looks
	// again.
	//
	// The queue also publishes: what a caller wrote before it handed a task over is there
	// for the task.
	//
	// After close() nothing is taken any more, and what has not been passed on yet never
	// will be. Those who wait for it have to be woken by whoever closes.

	private static final Logger logger = LoggerFactory.getLogger(HandOff.class);

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final Executor executor;

	private final Thread thread;

	private volatile boolean closed;

	/**
	 * Creates a hand-off and starts its thread, a daemon.
	 * @param executor what tasks are passed on to
	 */
	HandOff(Executor executor) {
		this.executor = executor;
		this.thread = new LibraryThread(this::work, "leaf-segment-hand-off");
		this.thread.start();
	}

	/**
	 * Takes a task. It may be run twice, where the executor fails halfway.
	 * @throws RejectedExecutionException if this is closed
	 */
	@Override
	public void execute(Runnable task) {
		if (this.closed) {
			throw new RejectedExecutionException("closed");
		}
		this.tasks.add(task);
		LockSupport.unpark(this.thread);
	}

	/**
	 * Ends the thread.
	 */
	void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	private void work() {
		while (!this.closed) {
			Runnable task = this.tasks.poll();
			if (task == null) {
				LockSupport.park(this);
				// else no further park would wait
				Thread.interrupted();
				continue;
			}
			try {
				passOn(task);
			}
			catch (Throwable ex) {
				// not even what the logging throws may end this thread: no key would get
				// a segment any more
			}
		}
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
