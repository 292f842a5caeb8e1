// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * A latch that is opened once. Threads park until it is open, and calls that cannot park
 * are resumed by the thread that opens it.
 */
class Latch extends CountDownLatch {

	// A call that cannot park first adds its resumption to the queue, and then looks at
	// the count. The thread that opens the latch first clears the count, and then empties
	// the queue. So a resumption is run by that thread, or removed again by its own call.

	private final Queue<Runnable> resumptions = new ConcurrentLinkedQueue<>();

	Latch() {
		super(1);
	}

	/**
	 * Opens this latch, and runs the tasks that wait for it. Later calls have no effect.
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
	 * Arranges that the thread that opens this latch runs a task.
	 * @param resumption the task, which must neither wait nor fail
	 * @return whether the task has been or will be run; {@code false} if this latch is
	 * open already
	 */
	final boolean whenOpened(Runnable resumption) {
		this.resumptions.add(resumption);
		return !isOpen() || !this.resumptions.remove(resumption);
	}

	/**
	 * Removes a task that was passed to {@link #whenOpened}, unless it has been run.
	 */
	final void forget(Runnable resumption) {
		this.resumptions.remove(resumption);
	}

}
