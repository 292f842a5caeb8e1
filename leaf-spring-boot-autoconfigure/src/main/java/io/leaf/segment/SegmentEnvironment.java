// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.leaf.support.AsyncExecutor;
import io.leaf.support.AsyncThreads;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The threads, clocks and random numbers that the segment classes use.
 *
 * @param executor runs all tasks that use the store, except
 * {@link SegmentStore#giveBack}. The generator shuts the executor down
 * @param clock the wall clock. It provides the times in {@link SegmentStatus}. Together
 * with the monotonic clock, it also serves to estimate the time on the store's clock, and
 * thus whether a period has ended
 * @param nanoTime the monotonic clock, for durations
 * @param slowFetches runs fetches that may take a long time in the store, one at a time
 * @param waits parks a caller until a latch is open
 * @param random the random numbers that vary the delays between attempts
 * @param async runs the asynchronous calls, whose callers do not wait
 */
record SegmentEnvironment(ScheduledExecutorService executor, InstantSource clock, LongSupplier nanoTime,
		SerialTasks slowFetches, LatchWait waits, RandomGenerator random, AsyncExecutor async) {

	/**
	 * The interval at which a waiting caller checks whether the latch is open, in case no
	 * other thread wakes the caller. The threads that wait at a latch of the JDK form a
	 * queue, in which each thread wakes the next one. If a thread cannot park because of
	 * an Error, such as the one that BlockHound throws on an event loop, the thread stays
	 * in the queue but never wakes the next one.
	 */
	private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

	private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);

	private static final Duration MAX_BACKOFF = Duration.ofMillis(500);

	/**
	 * Creates an environment with new threads for asynchronous calls.
	 */
	SegmentEnvironment(ScheduledExecutorService executor, InstantSource clock, LongSupplier nanoTime, LatchWait waits,
			RandomGenerator random) {
		this(executor, clock, nanoTime, waits, random, new AsyncThreads("leaf-segment-async"));
	}

	SegmentEnvironment(ScheduledExecutorService executor, InstantSource clock, LongSupplier nanoTime, LatchWait waits,
			RandomGenerator random, AsyncExecutor async) {
		this(executor, clock, nanoTime, new SerialTasks(executor), waits, random, async);
	}

	static SegmentEnvironment system() {
		return new SegmentEnvironment(new SegmentThreads(), InstantSource.system(), System::nanoTime,
				SegmentEnvironment::park, () -> ThreadLocalRandom.current().nextLong());
	}

	static boolean park(CountDownLatch latch, long nanos) throws InterruptedException {
		long start = System.nanoTime();
		long left = nanos;
		while (left > 0 && !latch.await(Math.min(left, CHECK_INTERVAL.toNanos()), TimeUnit.NANOSECONDS)) {
			left = nanos - (System.nanoTime() - start);
		}
		return latch.getCount() == 0;
	}

	/**
	 * Waits until a latch is open, or until the maximum time has elapsed.
	 * @param latch what to wait for
	 * @param nanos how long to wait at most. If this is not positive, the result is a
	 * {@link TimeoutException} even if the latch is open
	 * @param timeout the acquire timeout, for the message
	 * @return {@code null} if the latch is open. Otherwise a {@link TimeoutException} or
	 * an {@link InterruptedException}, which says why the wait ended
	 */
	@Nullable Exception await(CountDownLatch latch, long nanos, Duration timeout) {
		try {
			return (nanos > 0 && this.waits.await(latch, nanos)) ? null : timeout(timeout);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new InterruptedException("the thread was interrupted while it waited for the store");
		}
	}

	static TimeoutException timeout(Duration timeout) {
		return new TimeoutException("the store has not answered within %s (leaf.segment.acquire-timeout)"
			.formatted(DurationText.of(timeout)));
	}

	/**
	 * Returns how long to wait before a failed attempt is repeated. The delay is 50 ms
	 * after the first failure, and doubles with each further failure, up to 500 ms. A
	 * random part of up to half of the delay is subtracted, so that processes whose
	 * attempts failed at the same time do not try again at the same time.
	 * @param failures how many attempts in a row have failed, at least 1
	 */
	Duration backoff(int failures) {
		long limit = Math.min(MAX_BACKOFF.toNanos(), FIRST_BACKOFF.toNanos() << Math.min(failures - 1, 30));
		return Duration.ofNanos(limit / 2 + this.random.nextLong(limit / 2 + 1));
	}

	/**
	 * Parks the calling thread until a latch is open, or until the maximum time has
	 * elapsed.
	 */
	@FunctionalInterface
	interface LatchWait {

		/**
		 * Waits.
		 * @param latch what to wait for
		 * @param nanos how long to wait at most
		 * @return whether the latch is open
		 * @throws InterruptedException if the thread is interrupted
		 */
		boolean await(CountDownLatch latch, long nanos) throws InterruptedException;

	}

}
