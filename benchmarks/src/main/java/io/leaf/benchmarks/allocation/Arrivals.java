// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.segment.SegmentSettings;

/**
 * What has become of calls that were due at certain times.
 */
final class Arrivals {

	private static final long LATE = TimeUnit.MILLISECONDS.toNanos(10);

	private static final long TIMEOUT = SegmentSettings.DEFAULTS.acquireTimeout().toNanos();

	private long calls;

	private long late;

	private long failed;

	private long longestNanos;

	/**
	 * Adds a call. One that returned an ID after more than the acquire timeout has failed
	 * as well: it had to wait for its turn behind other calls of the same thread. A
	 * caller of its own would have called in time, and waited no longer than that.
	 * @param nanos how long after it was due it returned
	 * @param failure whether it failed
	 */
	void add(long nanos, boolean failure) {
		this.calls++;
		if (nanos > LATE) {
			this.late++;
		}
		if (failure || nanos > TIMEOUT) {
			this.failed++;
		}
		this.longestNanos = Math.max(this.longestNanos, nanos);
	}

	/**
	 * Adds calls that were due and not made: they count as late and as failed.
	 * @param missed how many
	 */
	void addMissed(long missed) {
		this.calls += missed;
		this.late += missed;
		this.failed += missed;
	}

	/**
	 * Adds up what has become of the calls of several keys.
	 * @param arrivals one for each key
	 */
	static Arrivals sum(List<Arrivals> arrivals) {
		Arrivals sum = new Arrivals();
		for (Arrivals each : arrivals) {
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
	 * Returns the part of the calls, in percent, that returned more than 10 ms after they
	 * were due.
	 */
	double latePercent() {
		return (this.calls > 0) ? 100.0 * this.late / this.calls : 0;
	}

	long failed() {
		return this.failed;
	}

	/**
	 * Returns how long after it was due the slowest call returned.
	 */
	double longestSeconds() {
		return this.longestNanos / 1e9;
	}

}
