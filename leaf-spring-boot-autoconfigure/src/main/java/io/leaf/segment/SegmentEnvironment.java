// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What the segment classes need of the world around them.
 *
 * @param executor runs fetches, look-ups and the refresh; owned by the generator, and for
 * its own threads only, since it takes locks
 * @param handOff passes on to the executor what callers want it to run, without a lock
 * @param clock the wall clock, for what is shown to people
 * @param nanoTime the monotonic clock, for everything that is measured
 * @param slowFetch whether a fetch of any key waits long for the store
 * @param waits how a caller waits for what the threads are to bring
 * @param random the source of jitter
 */
record SegmentEnvironment(ScheduledExecutorService executor, Executor handOff, InstantSource clock,
		LongSupplier nanoTime, AtomicBoolean slowFetch, LatchWait waits, RandomGenerator random) {

	/**
	 * After how long a caller that waits looks by itself. Of the threads that wait at a
	 * latch of the JDK, each wakes the next. One whose parking ended with an Error, as
	 * BlockHound makes it end on an event loop, keeps its place there and wakes nobody.
	 */
	private static final Duration LOOK = Duration.ofSeconds(1);

	/**
	 * Creates an environment of which no fetch waits long yet.
	 */
	SegmentEnvironment(ScheduledExecutorService executor, Executor handOff, InstantSource clock, LongSupplier nanoTime,
			LatchWait waits, RandomGenerator random) {
		this(executor, handOff, clock, nanoTime, new AtomicBoolean(), waits, random);
	}

	static boolean park(CountDownLatch latch, long nanos) throws InterruptedException {
		long start = System.nanoTime();
		long left = nanos;
		while (left > 0 && !latch.await(Math.min(left, LOOK.toNanos()), TimeUnit.NANOSECONDS)) {
			left = nanos - (System.nanoTime() - start);
		}
		return latch.getCount() == 0;
	}

	static SegmentEnvironment system() {
		SegmentThreads threads = new SegmentThreads();
		return new SegmentEnvironment(threads, threads.handOff(), InstantSource.system(), System::nanoTime,
				SegmentEnvironment::park, () -> ThreadLocalRandom.current().nextLong());
	}

	/**
	 * Parks the calling thread until a latch is open, or the time is over.
	 */
	@FunctionalInterface
	interface LatchWait {

		/**
		 * Waits.
		 * @param latch what to wait for
		 * @param nanos for how long at most
		 * @return whether the latch is open
		 * @throws InterruptedException if the thread is interrupted
		 */
		boolean await(CountDownLatch latch, long nanos) throws InterruptedException;

	}

}
