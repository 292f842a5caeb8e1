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
 * Threads that draw IDs one by one, {@value #BATCH} of a key and then as many of the next
 * key, and check them. The clock is read between any two calls, so each of them is
 * measured.
 * <p>
 * Callers of a given rate rest after each batch. Those that draw as fast as they can park
 * for as short as possible where they are virtual: nothing else would ever take the
 * processor from them. To yield is not enough. As long as threads that yield fill the
 * queues of the carriers, the JDK runs no others, so that one that is woken from outside,
 * by the library or a lock, waits for tens of seconds.
 */
final class Callers {

	private static final int BATCH = 64;

	private final CallerKind kind;

	private final IdGenerator generator;

	private final List<IdSpace> spaces;

	private final long restNanos;

	private volatile boolean stopped;

	/**
	 * Creates callers.
	 * @param idsPerSecond of all of them together, or 0 for as many as they can
	 */
	Callers(CallerKind kind, IdGenerator generator, List<IdSpace> spaces, int idsPerSecond) {
		this.kind = kind;
		this.generator = generator;
		this.spaces = spaces;
		this.restNanos = (idsPerSecond > 0) ? TimeUnit.SECONDS.toNanos(1) * kind.count() * BATCH / idsPerSecond : 0;
	}

	/**
	 * Has the threads draw.
	 * @param atTheEnd what to do when that time has passed, while they still draw
	 * @return what their calls took
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
		if (this.restNanos > 0) {
			// or all would come at once, each time
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(this.restNanos));
		}
		long turn = System.nanoTime();
		while (!this.stopped) {
			IdSpace space = this.spaces.get(next++ % this.spaces.size());
			draw(space, ids, times);
			// what a caller has missed, it does not make up for
			turn = Math.max(turn + this.restNanos, System.nanoTime());
			rest(turn);
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

	private void rest(long turn) {
		long left = turn - System.nanoTime();
		if (left > 0) {
			LockSupport.parkNanos(left);
		}
		else if (this.kind == CallerKind.VIRTUAL) {
			LockSupport.parkNanos(1);
		}
	}

	/**
	 * What a caller draws from.
	 *
	 * @param key the key it names
	 * @param ledger what has been drawn
	 */
	record IdSpace(String key, IdLedger ledger) {

	}

}
