// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.leaf.IdGenerationException;

/**
 * Threads that draw IDs at a steady rate until they are stopped.
 */
final class Load implements AutoCloseable {

	private static final long SLOT_NANOS = 1_000_000;

	private final List<Thread> threads = new ArrayList<>();

	private final LongAdder issued = new LongAdder();

	private final LongAdder failures = new LongAdder();

	private final ConcurrentLinkedQueue<Throwable> errors = new ConcurrentLinkedQueue<>();

	private volatile boolean stopped;

	private volatile boolean failing;

	/**
	 * Starts the threads.
	 * @param idsPerMilli how many IDs each thread draws per millisecond; a thread that
	 * did not run for a time makes up for at most five milliseconds
	 */
	Load(int threads, int idsPerMilli, LongSupplier sequence) {
		for (int i = 0; i < threads; i++) {
			Thread thread = new Thread(() -> run(idsPerMilli, sequence), "load-" + i);
			thread.setDaemon(true);
			this.threads.add(thread);
			thread.start();
		}
	}

	private void run(int idsPerMilli, LongSupplier sequence) {
		try {
			long slot = System.nanoTime();
			long last = -1;
			while (!this.stopped) {
				for (int i = 0; i < idsPerMilli; i++) {
					last = draw(sequence, last);
				}
				slot = Math.max(slot + SLOT_NANOS, System.nanoTime() - 5 * SLOT_NANOS);
				LockSupport.parkNanos(slot - System.nanoTime());
			}
		}
		catch (Throwable ex) {
			this.errors.add(ex);
		}
	}

	private long draw(LongSupplier sequence, long last) {
		try {
			long id = sequence.getAsLong();
			if (id <= last) {
				throw new AssertionError(id + " was issued after " + last);
			}
			this.issued.increment();
			return id;
		}
		catch (IdGenerationException ex) {
			this.failures.increment();
			this.failing = true;
			return last;
		}
	}

	long issued() {
		return this.issued.sum();
	}

	/**
	 * Returns how many calls ended with an exception of the library.
	 */
	long failures() {
		return this.failures.sum();
	}

	/**
	 * Returns whether any call has ended with an exception of the library.
	 */
	boolean hasFailed() {
		return this.failing;
	}

	/**
	 * Stops the threads, and throws an error if one of them has failed.
	 */
	@Override
	public void close() {
		this.stopped = true;
		try {
			for (Thread thread : this.threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError("Interrupted while the load ended", ex);
		}
		for (Throwable error : this.errors) {
			throw new AssertionError(error);
		}
	}

}
