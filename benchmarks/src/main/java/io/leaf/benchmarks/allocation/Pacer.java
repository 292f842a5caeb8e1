// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.leaf.IdGenerationException;

/**
 * Draws IDs at a fixed rate. Calls are due whether or not the one before has returned, so
 * a call that waits makes those behind it late, as it would hold up as many callers in an
 * application. The thread looks every millisecond which calls have become due.
 */
final class Pacer {

	private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * How long after the last call was due those not made yet are given up.
	 */
	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

	private final LongSupplier nanoTime;

	private final LongConsumer park;

	private final long interval;

	/**
	 * Creates a pacer for this machine's clock.
	 * @param callsPerSecond the rate
	 */
	Pacer(int callsPerSecond) {
		this(callsPerSecond, System::nanoTime, LockSupport::parkNanos);
	}

	Pacer(int callsPerSecond, LongSupplier nanoTime, LongConsumer park) {
		this.nanoTime = nanoTime;
		this.park = park;
		this.interval = TimeUnit.SECONDS.toNanos(1) / callsPerSecond;
	}

	/**
	 * Makes calls for some time.
	 * @param ids what is called
	 * @param from when the first call is due
	 * @param nanos for how long calls are due
	 * @return what has become of the calls
	 * @throws IllegalStateException if an ID was not larger than the one before
	 */
	Arrivals run(LongSupplier ids, long from, long nanos) {
		Arrivals arrivals = new Arrivals();
		long calls = nanos / this.interval;
		long last = -1;
		long now = this.nanoTime.getAsLong();
		for (long call = 0; call < calls; call++) {
			long due = from + call * this.interval;
			while (now - due < 0) {
				this.park.accept(Math.max(TICK, due - now));
				now = this.nanoTime.getAsLong();
			}
			if (now - from - nanos > PATIENCE) {
				arrivals.addMissed(calls - call);
				break;
			}
			boolean failed = false;
			try {
				long id = ids.getAsLong();
				if (id <= last) {
					throw new IllegalStateException("%d after %d".formatted(id, last));
				}
				last = id;
			}
			catch (IdGenerationException ex) {
				failed = true;
			}
			now = this.nanoTime.getAsLong();
			arrivals.add(now - due, failed);
		}
		return arrivals;
	}

}
