// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;

/**
 * Threads that draw IDs one by one, and check them. A thread draws {@value #BATCH} IDs of
 * one key, and then as many of the next key. It reads the clock between any two calls, so
 * that each call is measured.
 * <p>
 * Callers with a given rate pause after each batch. Virtual threads that draw as fast as
 * possible park for the shortest possible time after each batch, because otherwise they
 * would never release the processor. Yielding is not enough: as long as threads that
 * yield fill the queues of the carrier threads, the JDK runs no other threads, so a
 * thread that is woken from outside, by the library or a lock, waits for tens of seconds.
 */
final class Callers {

	private static final int BATCH = 64;

	private final CallerKind kind;

	private final IdGenerator generator;

	private final List<IdSpace> spaces;

	private final long pauseNanos;

	private volatile boolean stopped;

	/**
	 * Creates callers.
	 * @param idsPerSecond the rate of all callers together, or 0 for as fast as possible
	 */
	Callers(CallerKind kind, IdGenerator generator, List<IdSpace> spaces, int idsPerSecond) {
		this.kind = kind;
		this.generator = generator;
		this.spaces = spaces;
		this.pauseNanos = (idsPerSecond > 0) ? TimeUnit.SECONDS.toNanos(1) * kind.count() * BATCH / idsPerSecond : 0;
	}

	/**
	 * Runs the threads.
	 * @param duration how long they draw IDs
	 * @param atTheEnd what to do after this time, while they still draw IDs
	 * @return the durations of their calls
	 * @throws java.util.concurrent.ExecutionException if an ID is wrong
	 */
	CallTimes run(Duration duration, Runnable atTheEnd) throws Exception {
		this.stopped = false;
		CountDownLatch failed = new CountDownLatch(1);
		List<Future<CallTimes>> results = new ArrayList<>();
		ExecutorService executor = this.kind.executor();
		try {
			for (int i = 0; i < this.kind.count(); i++) {
				int number = i;
				results.add(executor.submit(() -> {
					try {
						return draw(number);
					}
					catch (Throwable ex) {
						failed.countDown();
						throw ex;
					}
				}));
			}
			failed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
			atTheEnd.run();
		}
		finally {
			this.stopped = true;
			executor.shutdown();
		}
		CallTimes times = new CallTimes();
		for (Future<CallTimes> result : results) {
			times.add(result.get());
		}
		return times;
	}

	private CallTimes draw(int number) {
		CallTimes times = new CallTimes();
		long[] ids = new long[BATCH];
		int next = number;
		if (this.pauseNanos > 0) {
			// otherwise, all threads would draw at the same time, after each pause
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(this.pauseNanos));
		}
		long turn = System.nanoTime();
		while (!this.stopped) {
			IdSpace space = this.spaces.get(next++ % this.spaces.size());
			draw(space, ids, times);
			// a caller does not make up for IDs that it has missed
			turn = Math.max(turn + this.pauseNanos, System.nanoTime());
			pauseUntil(turn);
		}
		return times;
	}

	private void draw(IdSpace space, long[] ids, CallTimes times) {
		long before = space.ledger().highest();
		int drawn = 0;
		long time = System.nanoTime();
		for (int i = 0; i < BATCH; i++) {
			try {
				ids[drawn] = this.generator.nextId(space.key());
				drawn++;
			}
			catch (IdGenerationException ex) {
				times.failure();
			}
			long end = System.nanoTime();
			times.call(end - time);
			time = end;
		}
		space.ledger().add(before, ids, drawn);
		times.pause(System.nanoTime() - time);
	}

	private void pauseUntil(long turn) {
		long left = turn - System.nanoTime();
		if (left > 0) {
			LockSupport.parkNanos(left);
		}
		else if (this.kind == CallerKind.VIRTUAL) {
			LockSupport.parkNanos(1);
		}
	}

	/**
	 * A key from which callers draw IDs.
	 *
	 * @param key the key
	 * @param ledger the IDs that have been drawn
	 */
	record IdSpace(String key, IdLedger ledger) {

	}

}
