// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * A latch that is opened once. Threads park until the latch is open. An asynchronous
 * call, which must not park, is resumed by the thread that opens the latch.
 */
class Latch extends CountDownLatch {

	// An asynchronous call adds its resumption to the queue before it reads the count.
	// The thread that opens the latch sets the count to 0 before it empties the queue. So
	// no resumption is forgotten: either this thread finds the resumption in the queue
	// and runs it, or the call sees that the latch is open, removes the resumption, and
	// continues at once.

	private final Queue<Runnable> resumptions = new ConcurrentLinkedQueue<>();

	Latch() {
		super(1);
	}

	/**
	 * Opens this latch, unless it is already open, and runs the tasks that were passed to
	 * {@link #whenOpened}.
	 */
	@Override
	public final void countDown() {
		super.countDown();
		for (Runnable next = this.resumptions.poll(); next != null; next = this.resumptions.poll()) {
			next.run();
		}
	}

	final boolean isOpen() {
		return getCount() == 0;
	}

	/**
	 * Arranges for a task to be run by the thread that opens this latch.
	 * @param resumption the task, which must neither wait nor fail
	 * @return {@code true} if the task has been or will be run; {@code false} if this
	 * latch is already open and the task will not be run
	 */
	final boolean whenOpened(Runnable resumption) {
		this.resumptions.add(resumption);
		return !isOpen() || !this.resumptions.remove(resumption);
	}

	/**
	 * Removes a task that was passed to {@link #whenOpened}, unless the task has already
	 * been run.
	 */
	final void forget(Runnable resumption) {
		this.resumptions.remove(resumption);
	}

}
