// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs tasks one at a time, in the order in which they were added. Any thread may add a
 * task. A task occupies no thread while it waits for its turn.
 */
final class SerialTasks {

	private final Executor executor;

	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean running = new AtomicBoolean();

	SerialTasks(Executor executor) {
		this.executor = executor;
	}

	/**
	 * Runs a task after the tasks that were added before it. If no other task is running,
	 * the next one runs on the calling thread, usually the given one. The other tasks run
	 * later, usually on a thread of the executor.
	 */
	void run(Runnable task) {
		this.waiting.add(task);
		runNext();
	}

	private void runNext() {
		boolean handedOver = false;
		while (!handedOver && !this.waiting.isEmpty() && this.running.compareAndSet(false, true)) {
			try {
				Runnable next = this.waiting.poll();
				if (next != null) {
					next.run();
				}
			}
			finally {
				this.running.set(false);
				handedOver = !this.waiting.isEmpty() && handOver();
			}
		}
	}

	private boolean handOver() {
		try {
			this.executor.execute(this::runNext);
			return true;
		}
		catch (RejectedExecutionException ex) {
			// the executor has been shut down, so no task is needed any longer
			this.waiting.clear();
			return true;
		}
		catch (Throwable ex) {
			// the executor has failed, for example with an OutOfMemoryError because no
			// thread could be created. The next task runs on this thread, so that no task
			// is left waiting
			return false;
		}
	}

}
