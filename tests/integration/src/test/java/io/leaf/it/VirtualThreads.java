// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;

/**
 * Virtual threads that draw IDs, none of which may be drawn twice. They are started by
 * reflection, because the code is compiled for JDK 17.
 */
final class VirtualThreads {

	private final List<Thread> threads = new ArrayList<>();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final Map<String, Queue<long[]>> drawn = new ConcurrentHashMap<>();

	/**
	 * Starts threads.
	 * @param count the number of threads
	 * @param work the work of each thread; its argument is the number of the thread
	 */
	void start(int count, IntConsumer work) throws ReflectiveOperationException {
		for (int i = 0; i < count; i++) {
			int number = i;
			Runnable task = () -> {
				try {
					work.accept(number);
				}
				catch (Throwable ex) {
					this.failures.add(ex);
				}
			};
			this.threads.add((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task));
		}
	}

	/**
	 * Records IDs.
	 * @param space the ID space in which they must be unique
	 */
	void drew(String space, long... ids) {
		this.drawn.computeIfAbsent(space, (name) -> new ConcurrentLinkedQueue<>()).add(ids);
	}

	/**
	 * Returns whether some threads have not ended, and all of these are waiting.
	 */
	boolean areStuck() {
		List<Thread> alive = this.threads.stream().filter(Thread::isAlive).toList();
		return !alive.isEmpty() && alive.stream().allMatch(VirtualThreads::waits);
	}

	private static boolean waits(Thread thread) {
		return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
	}

	/**
	 * Waits for all threads, and checks that none has failed and that no ID was drawn
	 * twice.
	 * @return the number of IDs that were drawn
	 */
	long end() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join();
		}
		if (!this.failures.isEmpty()) {
			throw new IllegalStateException(this.failures.size() + " threads have failed", this.failures.peek());
		}
		return this.drawn.entrySet().stream().mapToLong((entry) -> unique(entry.getKey(), entry.getValue())).sum();
	}

	private static long unique(String space, Queue<long[]> drawn) {
		long[] ids = drawn.stream().flatMapToLong(Arrays::stream).sorted().toArray();
		for (int i = 1; i < ids.length; i++) {
			if (ids[i] == ids[i - 1]) {
				throw new IllegalStateException("%d was drawn twice from %s".formatted(ids[i], space));
			}
		}
		return ids.length;
	}

}
