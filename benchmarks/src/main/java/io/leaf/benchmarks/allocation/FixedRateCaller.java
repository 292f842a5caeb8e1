// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.leaf.IdGenerationException;

/**
 * Draws IDs at a fixed rate. A call is due whether or not the previous one has returned.
 * Therefore a call that waits delays the calls after it, just as several callers of an
 * application would wait. The thread checks every millisecond which calls are due.
 */
final class FixedRateCaller {

	private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * How long after the end of the measurement the remaining calls are still made.
	 */
	private static final long GRACE_PERIOD = TimeUnit.SECONDS.toNanos(5);

	private final LongSupplier nanoTime;

	private final LongConsumer park;

	private final long interval;

	/**
	 * Creates a caller that uses the clock of this machine.
	 * @param callsPerSecond the rate
	 */
	FixedRateCaller(int callsPerSecond) {
		this(callsPerSecond, System::nanoTime, LockSupport::parkNanos);
	}

	FixedRateCaller(int callsPerSecond, LongSupplier nanoTime, LongConsumer park) {
		this.nanoTime = nanoTime;
		this.park = park;
		this.interval = TimeUnit.SECONDS.toNanos(1) / callsPerSecond;
	}

	/**
	 * Makes calls for some time.
	 * @param ids the source of IDs
	 * @param from the time at which the first call is due
	 * @param nanos how long calls are due
	 * @return the times of the calls
	 * @throws IllegalStateException if an ID was not larger than the previous one
	 */
	CallTimes run(LongSupplier ids, long from, long nanos) {
		CallTimes times = new CallTimes();
		long calls = nanos / this.interval;
		long last = -1;
		long now = this.nanoTime.getAsLong();
		for (long call = 0; call < calls; call++) {
			long due = from + call * this.interval;
			while (now - due < 0) {
				this.park.accept(Math.max(TICK, due - now));
				now = this.nanoTime.getAsLong();
			}
			if (now - from - nanos > GRACE_PERIOD) {
				times.addMissed(calls - call);
				break;
			}
			boolean failed = false;
			try {
				long id = ids.getAsLong();
				if (id <= last) {
					throw new IllegalStateException("ID %d was issued after ID %d".formatted(id, last));
				}
				last = id;
			}
			catch (IdGenerationException ex) {
				failed = true;
			}
			now = this.nanoTime.getAsLong();
			times.add(now - due, failed);
		}
		return times;
	}

}
