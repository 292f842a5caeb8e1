// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How fast numbers are issued, from what is counted now and what was counted ten seconds
 * ago or more.
 * <p>
 * Safe for use by any number of threads.
 */
final class IssueRate {

	/**
	 * How old a count must be at least: rates over less than this tell of chance.
	 */
	private static final long MIN_AGE = TimeUnit.SECONDS.toNanos(10);

	private final AtomicReference<Counts> counts;

	/**
	 * Starts to count.
	 * @param nanos the time by a monotonic clock, in nanoseconds
	 * @param issued how many numbers have been issued by now
	 */
	IssueRate(long nanos, long issued) {
		Count count = new Count(nanos, issued);
		this.counts = new AtomicReference<>(new Counts(count, count));
	}

	/**
	 * Returns how long a stock of numbers will last at the present rate.
	 * @param nanos the time by a monotonic clock, in nanoseconds
	 * @param issued how many numbers have been issued by now
	 * @param remaining the stock
	 * @return seconds; infinite where none is being issued
	 */
	double secondsLeft(long nanos, long issued, long remaining) {
		Count now = new Count(nanos, issued);
		Counts counts = this.counts.updateAndGet((before) -> before.upTo(now));
		Count since = counts.older();
		double seconds = (nanos - since.nanos()) / 1e9;
		long recently = issued - since.issued();
		return (recently > 0 && seconds > 0) ? remaining * seconds / recently : Double.POSITIVE_INFINITY;
	}

	private record Count(long nanos, long issued) {

	}

	/**
	 * Two counts that are {@link #MIN_AGE} apart, or the same.
	 */
	private record Counts(Count older, Count newer) {

		Counts upTo(Count now) {
			return (now.nanos() - this.newer.nanos() < MIN_AGE) ? this : new Counts(this.newer, now);
		}

	}

}
