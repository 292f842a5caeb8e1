// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Numbers;
import io.leaf.segment.SegmentStatus.Range;
import io.micrometer.core.instrument.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The keys that share one set of meters. They are measured when the meters are read.
 */
final class MeasuredKeys {

	/**
	 * How long the sum over several keys is reused. A scrape reads several meters, each
	 * of which needs the sum, and a table may have a hundred thousand keys.
	 */
	private static final long REUSE = TimeUnit.SECONDS.toNanos(1);

	private final SegmentIdGenerator generator;

	private final Clock clock;

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	// The count of issued IDs is the difference of two counts: the numbers drawn from
	// segments, and the drawn numbers that are not issued. The two counts are not read at
	// the same moment, and a number that was issued to a cancelled call is deducted
	// later.
	// The difference can therefore decrease slightly. A counter must not decrease, so the
	// largest difference is kept.
	private final AtomicLong mostIssued = new AtomicLong();

	private final IssueRate rate;

	private volatile @Nullable Sample last;

	MeasuredKeys(SegmentIdGenerator generator, Clock clock) {
		this.generator = generator;
		this.clock = clock;
		this.rate = new IssueRate(clock.monotonicTime(), 0);
	}

	/**
	 * Returns how many numbers a key can issue without a fetch.
	 */
	static long remaining(SegmentStatus status) {
		Current current = status.current();
		Range next = status.next();
		return ((current != null) ? current.remaining() : 0) + ((next != null) ? next.to() - next.from() : 0);
	}

	void add(String key) {
		this.keys.add(key);
	}

	Measures measures() {
		return sample().measures();
	}

	private Sample sample() {
		long now = this.clock.monotonicTime();
		Sample last = this.last;
		if (last != null && now - last.nanos() < REUSE && this.keys.size() > 1) {
			return last;
		}
		Sample sample = new Sample(now, sum());
		this.last = sample;
		return sample;
	}

	private Measures sum() {
		Measures sum = Measures.NONE;
		for (String key : this.keys) {
			SegmentStatus status = this.generator.lastStatus(key);
			if (status != null) {
				sum = sum.plus(status);
			}
		}
		return sum;
	}

	long issued() {
		return this.mostIssued.accumulateAndGet(measures().numbers().issued(), Math::max);
	}

	double secondsLeft() {
		Sample sample = sample();
		Measures measures = sample.measures();
		return measures.stopped() ? 0
				: this.rate.secondsLeft(sample.nanos(), measures.issuedFromMemory(), measures.remaining());
	}

	/**
	 * The sums over the keys.
	 *
	 * @param numbers how many of the fetched numbers were issued, how many were given
	 * back, and how many were lost
	 * @param issuedFromMemory how many numbers were issued by the keys that keep numbers
	 * in memory
	 * @param stopped whether at least one key with global ordering cannot issue IDs at
	 * the moment. Such keys keep no numbers in memory
	 * @param remaining how many numbers can be issued without a fetch
	 * @param fetches how many segments have been fetched
	 * @param failures how many attempts to fetch a segment have failed or been refused
	 * @param waits how many calls for the keys that keep numbers in memory had to wait
	 * @param waitedNanos how long the calls counted in {@code waits} have waited in
	 * total, in nanoseconds
	 */
	record Measures(Numbers numbers, long issuedFromMemory, boolean stopped, long remaining, long fetches,
			long failures, long waits, long waitedNanos) {

		private static final Measures NONE = new Measures(new Numbers(0, 0, 0), 0, false, 0, 0, 0, 0, 0);

		private Measures plus(SegmentStatus status) {
			Numbers more = status.numbers();
			Numbers numbers = new Numbers(this.numbers.issued() + more.issued(),
					this.numbers.givenBack() + more.givenBack(), this.numbers.lost() + more.lost());
			if (status.ordering() == Ordering.GLOBAL) {
				// the waits and the remaining numbers of a key with global ordering are
				// left out: every call for the key waits for the store, and no numbers
				// are kept in memory, so alerts would be raised without a cause
				return new Measures(numbers, this.issuedFromMemory, this.stopped || status.failedAttempts() > 0,
						this.remaining, this.fetches + status.fetches(), this.failures + status.failures(), this.waits,
						this.waitedNanos);
			}
			return new Measures(numbers, this.issuedFromMemory + more.issued(), this.stopped,
					this.remaining + MeasuredKeys.remaining(status), this.fetches + status.fetches(),
					this.failures + status.failures(), this.waits + status.waits(),
					this.waitedNanos + status.waited().toNanos());
		}

	}

	/**
	 * The measures at one point in time.
	 */
	private record Sample(long nanos, Measures measures) {

	}

	/**
	 * How fast numbers are issued, computed from the current count and an earlier count.
	 * The earlier count is at least ten seconds old, or it is the first count.
	 * <p>
	 * Safe for use by any number of threads.
	 */
	static final class IssueRate {

		/**
		 * The minimum age of the earlier count in nanoseconds. Over a shorter time, the
		 * rate would vary too much.
		 */
		private static final long MIN_AGE = TimeUnit.SECONDS.toNanos(10);

		private final AtomicReference<Counts> counts;

		/**
		 * Starts counting.
		 * @param nanos the time by a monotonic clock, in nanoseconds
		 * @param issued how many numbers have been issued so far
		 */
		IssueRate(long nanos, long issued) {
			Count count = new Count(nanos, issued);
			this.counts = new AtomicReference<>(new Counts(count, count));
		}

		/**
		 * Returns how long the remaining numbers last at the present rate.
		 * @param nanos the time by a monotonic clock, in nanoseconds
		 * @param issued how many numbers have been issued so far
		 * @param remaining how many numbers remain
		 * @return the time in seconds; infinite if no numbers are being issued
		 */
		double secondsLeft(long nanos, long issued, long remaining) {
			Count now = new Count(nanos, issued);
			Count since = this.counts.updateAndGet((before) -> before.upTo(now)).older();
			double seconds = (nanos - since.nanos()) / 1e9;
			long recently = issued - since.issued();
			return (recently > 0 && seconds > 0) ? remaining * seconds / recently : Double.POSITIVE_INFINITY;
		}

		private record Count(long nanos, long issued) {

		}

		/**
		 * Two counts that are at least {@link #MIN_AGE} apart, unless both are the first
		 * count.
		 */
		private record Counts(Count older, Count newer) {

			private Counts upTo(Count now) {
				return (now.nanos() - this.newer.nanos() < MIN_AGE) ? this : new Counts(this.newer, now);
			}

		}

	}

}
