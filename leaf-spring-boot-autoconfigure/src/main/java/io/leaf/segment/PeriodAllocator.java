// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import io.leaf.segment.KeyPeriod.Period;
import io.leaf.segment.SegmentStatus.PeriodStatus;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Counter;
import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Allocates the numbers of a key with periods.
 */
final class PeriodAllocator {

	// The clock of the store decides in which period a number is allocated, because each
	// allocation is conditional on the time that this clock shows. So a process whose own
	// clock is wrong, or that was suspended, can neither begin a period early nor
	// allocate numbers of a period that has ended.
	//
	// If leaf.segment.failover-gap is set, each counter is raised after a failover, so
	// that numbers whose allocation was lost are not allocated again. But if the failover
	// has lost all allocations of a period, the counter is in an earlier period, and the
	// raise skips numbers of that earlier period only. Therefore, the smallest number
	// that is allocated in a period is the first number of the period plus the amount by
	// which each counter has been raised after failovers since the period began.
	//
	// This process only guesses the time on the clock of the store: to the time that it
	// last read from this clock, it adds the time that has passed since then. If the
	// guess leads to the wrong period, nothing is allocated. The process then reads the
	// clock and the counter of the store, and tries again with the values that it has
	// read. The guess also decides when a buffered segment has expired. If the guess lags
	// behind, numbers of a period that has ended can be issued. The guess lags behind if
	// the wall clock is set back and the machine sleeps later, because then no clock of
	// this process shows how much time has passed. To correct the guess, the process also
	// reads the clock and the counter of the store before it begins a period.
	//
	// The counter may be in a later period than the clock of the store, for example
	// because the store has failed over to a server whose clock is slow. If the clock is
	// behind the beginning of the later period by at most max-drift, allocations continue
	// in that period, because going back to the earlier period would repeat numbers.
	//
	// Only one attempt runs at a time (see KeyAllocator). Any thread may read the fields.

	/**
	 * How many attempts one call of {@link #allocate} makes at most. An attempt allocates
	 * nothing if, since the clock and the counter were read, the period has ended, other
	 * processes have left too few of its numbers, or the counters have been raised after
	 * a failover. The clock and the counter are then read again for the next attempt.
	 */
	private static final int ATTEMPTS = 3;

	private final String key;

	private final KeyPeriod periods;

	private final SegmentStore store;

	private final SegmentEnvironment environment;

	private volatile @Nullable StoreClock clock;

	private volatile @Nullable Period current;

	private volatile Raises raises = Raises.NONE;

	private volatile long allocatedUpTo;

	/**
	 * The period in which an attempt found no number left; {@code null} if there was no
	 * such attempt, or if numbers have been allocated since then.
	 */
	private volatile @Nullable Period exhausted;

	PeriodAllocator(String key, KeyPeriod periods, SegmentStore store, SegmentEnvironment environment) {
		this.key = key;
		this.periods = periods;
		this.store = store;
		this.environment = environment;
	}

	/**
	 * Allocates numbers of the period that the clock of the store shows, or of the
	 * counter's period if the counter is ahead of that clock.
	 * @param size how many numbers. If fewer are left in the period, only these are
	 * allocated
	 * @param floor the smallest number that may be allocated, 0 for any
	 * @return the numbers, or {@code null} if there is no row for the key
	 * @throws SegmentStoreException if no number is left in the period, if the counter is
	 * too far ahead of the clock of the store or does not fit the periods of the key, if
	 * the store cannot be reached, does not answer in time or rejects the request, or if
	 * {@link #ATTEMPTS} attempts have allocated nothing
	 */
	@Nullable Allocation allocate(long size, long floor, Duration timeout) {
		StoreClock clock = this.clock;
		Period current = this.current;
		Instant guess = (clock != null) ? clock.now() : null;
		Attempt attempt;
		if (guess != null && current != null && guess.isBefore(current.until())) {
			attempt = attempt(size, floor, guess);
		}
		else {
			Counter counter = read(timeout);
			if (counter == null) {
				return null;
			}
			attempt = attempt(size, Math.max(floor, counter.next()), counter.time());
		}
		for (int i = 0; i < ATTEMPTS; i++) {
			Allocation allocation = this.store.allocate(this.key, attempt.size, attempt.window, timeout);
			if (allocation != null) {
				this.allocatedUpTo = allocation.to();
				this.current = attempt.period;
				this.exhausted = null;
				return allocation;
			}
			Counter counter = read(timeout);
			if (counter == null) {
				return null;
			}
			attempt = attempt(size, Math.max(floor, counter.next()), counter.time());
		}
		throw new SegmentStoreException(
				"Gave up allocating numbers of key '%s' after %d attempts: each time, the counter of the key or the current period had changed in the meantime. Check that all connections lead to the same server, and that sessions commit (on MySQL and MariaDB: autocommit=1)"
					.formatted(this.key, ATTEMPTS),
				null, false);
	}

	/**
	 * Checks that the counter of the key, if the key has a row, fits the periods of the
	 * key, and is not too far ahead of the clock of the store.
	 * @throws SegmentStoreException if the counter does not fit or is too far ahead, or
	 * the store cannot be reached
	 */
	void check(Duration timeout) {
		Counter counter = read(timeout);
		if (counter != null) {
			period(counter.next(), counter.time());
		}
	}

	private @Nullable Counter read(Duration timeout) {
		// the clocks of this process are read before the clock of the store, so that
		// StoreClock does not start behind the clock of the store. StoreClock may start
		// ahead by the duration of the call
		long nanos = this.environment.nanoTime().getAsLong();
		long millis = this.environment.clock().millis();
		Counter counter = this.store.read(this.key, timeout);
		if (counter != null) {
			this.clock = new StoreClock(counter.time(), nanos, millis);
			this.raises = counter.raises();
		}
		return counter;
	}

	private Attempt attempt(long size, long counter, Instant time) {
		Period period = period(counter, time);
		Raises raises = this.raises;
		// max-drift is subtracted because a raise may have been recorded by a server
		// whose clock was slow
		Instant earliest = period.start().minus(this.periods.maxDrift());
		long from = Math.max(period.first() + raises.since(earliest), counter);
		long left = period.end() - from;
		if (left <= 0) {
			this.exhausted = period;
			throw new SegmentStoreException(
					"All %d numbers of period %d of key '%s' have been allocated%s. The next period begins at %s. For more numbers per period, use a new key with more digits (leaf.keys.<key>.digits)"
						.formatted(this.periods.capacity(), period.number(), this.key,
								(raises.total() > 0) ? ", or skipped after failovers (leaf.segment.failover-gap)" : "",
								period.until().atZone(this.periods.zone())),
					null, true);
		}
		Instant since = time.isBefore(period.start()) ? earliest : period.start();
		return new Attempt(Math.min(size, left), new Window(from, period.end(), since, period.until(), raises), period);
	}

	/**
	 * Returns the period to allocate from. This is the period of the counter if the
	 * counter is ahead of the clock of the store, and otherwise the period that the clock
	 * shows.
	 */
	private Period period(long counter, Instant time) {
		Period present = this.periods.at(time);
		// no number has been allocated yet
		if (counter <= 1) {
			return present;
		}
		Period last = this.periods.of(counter);
		// no number has been allocated in this case either: the counter has only been
		// raised after failovers
		if (last == null && counter <= 1 + this.raises.gap() * this.raises.total()) {
			return present;
		}
		if (last == null) {
			throw new SegmentStoreException(
					"The counter of key '%s' is %d, which does not fit period %s with %d digits. The period, time zone and digits of a key cannot be changed after numbers have been issued, so use a new key. If no number of this key has been issued, set max_id of its row to 1 instead"
						.formatted(this.key, counter, name(), this.periods.digits()),
					null, true);
		}
		if (last.number() <= present.number()) {
			return present;
		}
		Duration ahead = Duration.between(time, last.start());
		if (ahead.compareTo(this.periods.maxDrift()) > 0) {
			throw new SegmentStoreException(
					"The counter of key '%s' is %d and therefore in period %d, which begins at %s, but the clock of the store shows %s and is more than leaf.segment.max-drift (%s) behind. Correct the clock of the database. If the clock is right and leaf.segment.failover-gap has raised the counter, wait until that period begins. If period-zone or digits of the key were changed, use a new key. If the counter was set by mistake, set max_id of its row to the smallest number that has not been issued"
						.formatted(this.key, counter, last.number(), last.start(), time,
								DurationText.of(this.periods.maxDrift())),
					null, true);
		}
		return last;
	}

	private String name() {
		return this.periods.unit().name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns whether attempts failed because no number was left in their period, and
	 * that period has ended in the meantime.
	 */
	boolean isRefusalOver() {
		Period period = this.exhausted;
		return period != null && hasEnded(period);
	}

	private boolean hasEnded(Period period) {
		StoreClock clock = this.clock;
		return clock != null && clock.millis() >= period.until().toEpochMilli();
	}

	/**
	 * Returns the smallest number that may still be issued.
	 * @return 0 if no numbers have been allocated. Otherwise, the first number of the
	 * period from which numbers were last allocated or, if that period has ended, the
	 * exclusive end of its numbers
	 */
	long expired() {
		Period period = this.current;
		if (period == null) {
			return 0;
		}
		return hasEnded(period) ? period.end() : period.first();
	}

	/**
	 * Returns the period from which numbers were allocated last, or {@code null} if no
	 * numbers were allocated or that period has ended.
	 */
	@Nullable PeriodStatus status() {
		Period period = this.current;
		if (period == null || expired() == period.end()) {
			return null;
		}
		return new PeriodStatus(period.number(), Math.max(0, this.allocatedUpTo - period.first()),
				this.periods.capacity(), period.until());
	}

	/**
	 * An attempt to allocate numbers.
	 *
	 * @param size how many numbers to allocate
	 * @param window the numbers that may be allocated, and the time during which they may
	 * be allocated
	 * @param period the period to which these numbers belong
	 */
	private record Attempt(long size, Window window, Period period) {

	}

	/**
	 * Estimates the time on the clock of the store. To the time that was read from the
	 * store, this class adds the time that has passed since then on the monotonic clock
	 * or on the wall clock, whichever has advanced further, because the monotonic clock
	 * may stand still while the machine sleeps.
	 */
	private final class StoreClock {

		private final long start;

		private final long startNanos;

		private final long startMillis;

		StoreClock(Instant time, long nanos, long millis) {
			// rounded up, plus one millisecond because millis() rounds durations down
			this.start = time.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS).toEpochMilli() + 1;
			this.startNanos = nanos;
			this.startMillis = millis;
		}

		long millis() {
			SegmentEnvironment environment = PeriodAllocator.this.environment;
			long nanos = environment.nanoTime().getAsLong() - this.startNanos;
			long millis = environment.clock().millis() - this.startMillis;
			return this.start + Math.max(nanos / 1_000_000, millis);
		}

		Instant now() {
			return Instant.ofEpochMilli(millis());
		}

	}

}
