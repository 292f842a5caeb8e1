// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long calls took from when they were due.
 */
final class CallTimes {

	private static final long LATE = TimeUnit.MILLISECONDS.toNanos(10);

	private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(2);

	private long calls;

	private long late;

	private long failed;

	private long longestNanos;

	/**
	 * Adds a call. A call that returned an ID later than the acquire timeout after it was
	 * due counts as failed: it waited behind other calls of the same thread. A caller
	 * with its own thread would have called in time and received an exception after the
	 * timeout.
	 * @param nanos the time from when the call was due until it returned
	 * @param exception whether the call threw an exception
	 */
	void add(long nanos, boolean exception) {
		this.calls++;
		if (nanos > LATE) {
			this.late++;
		}
		if (exception || nanos > TIMEOUT) {
			this.failed++;
		}
		this.longestNanos = Math.max(this.longestNanos, nanos);
	}

	/**
	 * Adds calls that were due but not made, as late and failed.
	 * @param missed the number of calls
	 */
	void addMissed(long missed) {
		this.calls += missed;
		this.late += missed;
		this.failed += missed;
	}

	/**
	 * Adds up the calls of several keys.
	 * @param keys the calls of each key
	 */
	static CallTimes sum(List<CallTimes> keys) {
		CallTimes sum = new CallTimes();
		for (CallTimes each : keys) {
			sum.calls += each.calls;
			sum.late += each.late;
			sum.failed += each.failed;
			sum.longestNanos = Math.max(sum.longestNanos, each.longestNanos);
		}
		return sum;
	}

	long calls() {
		return this.calls;
	}

	/**
	 * Returns the percentage of calls that returned more than 10 ms after they were due.
	 */
	double latePercent() {
		return (this.calls > 0) ? 100.0 * this.late / this.calls : 0;
	}

	long failed() {
		return this.failed;
	}

	/**
	 * Returns the time from when the slowest call was due until it returned.
	 */
	double longestSeconds() {
		return this.longestNanos / 1e9;
	}

}
