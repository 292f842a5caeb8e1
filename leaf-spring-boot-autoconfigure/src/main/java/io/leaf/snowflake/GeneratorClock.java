// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The clock for the timestamps of snowflake IDs. It starts at the time of the wall clock,
 * advances with the monotonic clock, and never steps back.
 * <p>
 * The time is a piecewise linear function of the monotonic time. This function (a
 * {@code Line}) is replaced as a whole whenever the clock is adjusted. Once per second,
 * {@link #follow()} compares this clock with the wall clock:
 * <ul>
 * <li>If the wall clock is ahead by at most the allowed drift, this clock moves forward
 * to the time of the wall clock.</li>
 * <li>If the wall clock is ahead by more than the allowed drift, this clock moves forward
 * to the time of the wall clock only after a call of {@link #confirm(long)} with the time
 * of another clock, which must agree with the wall clock. If there is no other clock,
 * {@code confirm} is called with the time of the wall clock itself.</li>
 * <li>If the wall clock is behind, this clock runs at nine tenths of the monotonic
 * clock's rate for ten times the difference. At the end of this time, the wall clock has
 * caught up, and this clock has never stood still.</li>
 * </ul>
 * <p>
 * Any number of threads can read the time at once. Reading takes no lock and allocates
 * nothing.
 */
public final class GeneratorClock {

	private final InstantSource wallClock;

	private final LongSupplier nanoTime;

	private final long maxDrift;

	// guards the replacement of the line; reading the time needs no lock
	private final ReentrantLock lock = new ReentrantLock();

	private volatile Line line;

	private volatile long offset;

	/**
	 * Creates a clock that starts at the time of the wall clock.
	 * @param wallClock the wall clock
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param maxDrift the allowed drift, zero or longer: how far ahead the wall clock may
	 * be for this clock to follow it without a call of {@link #confirm(long)}
	 */
	public GeneratorClock(InstantSource wallClock, LongSupplier nanoTime, Duration maxDrift) {
		this.wallClock = wallClock;
		this.nanoTime = nanoTime;
		this.maxDrift = maxDrift.toNanos();
		this.line = new Line(nanoTime.getAsLong(), wallNanos(), 0);
	}

	/**
	 * Returns the time of this clock.
	 * @return milliseconds since 1970-01-01T00:00:00Z
	 */
	public long millis() {
		return this.line.at(this.nanoTime.getAsLong()) / 1_000_000;
	}

	/**
	 * Compares this clock with the wall clock, and adjusts this clock unless the wall
	 * clock is ahead by more than the allowed drift. To be called once per second.
	 * @return {@code true} if this clock follows the wall clock; {@code false} if the
	 * wall clock is too far ahead, so that {@link #confirm(long)} must be called
	 */
	public boolean follow() {
		return follow(this.maxDrift);
	}

	/**
	 * If another clock differs from the wall clock by at most the allowed drift, this
	 * clock follows the wall clock, however far ahead the wall clock is. Otherwise this
	 * method has no effect.
	 * @param otherMillis the present time of the other clock, or of the wall clock if
	 * there is no other clock, in milliseconds since 1970-01-01T00:00:00Z
	 * @return whether the other clock and the wall clock agree
	 */
	public boolean confirm(long otherMillis) {
		long difference = wallNanos() - TimeUnit.MILLISECONDS.toNanos(otherMillis);
		return Math.abs(difference) <= this.maxDrift && follow(Long.MAX_VALUE);
	}

	private boolean follow(long maxStep) {
		this.lock.lock();
		try {
			long nanos = this.nanoTime.getAsLong();
			long own = this.line.at(nanos);
			long ahead = wallNanos() - own;
			this.offset = ahead;
			if (ahead > maxStep) {
				this.line = new Line(nanos, own, 0);
				return false;
			}
			this.line = (ahead >= 0) ? new Line(nanos, own + ahead, 0) : new Line(nanos, own, slowFor(-ahead));
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Moves this clock forward to the given time if this clock is behind, because all
	 * earlier timestamps may already have been used in IDs. If this clock is then ahead
	 * of the wall clock, this clock runs slower until the wall clock has caught up.
	 * @param millis milliseconds since 1970-01-01T00:00:00Z
	 */
	public void raiseTo(long millis) {
		this.lock.lock();
		try {
			long nanos = this.nanoTime.getAsLong();
			long own = this.line.at(nanos);
			long raised = TimeUnit.MILLISECONDS.toNanos(millis);
			if (raised > own) {
				this.offset = wallNanos() - raised;
				this.line = new Line(nanos, raised, slowFor(Math.max(0, -this.offset)));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns how far the wall clock was ahead of this clock at the last comparison.
	 * @return milliseconds; negative if the wall clock was behind
	 */
	public long offsetMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.offset);
	}

	/**
	 * Returns the time of the wall clock.
	 * @return milliseconds since 1970-01-01T00:00:00Z
	 */
	public long wallMillis() {
		return this.wallClock.millis();
	}

	private long wallNanos() {
		Instant now = this.wallClock.instant();
		return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
	}

	private static long slowFor(long behind) {
		return Math.min(behind, Long.MAX_VALUE / 20) * 10;
	}

	/**
	 * The time of this clock as a function of the monotonic time. All times are in
	 * nanoseconds.
	 *
	 * @param nanos the monotonic time at the beginning of the line
	 * @param start the time of this clock at the beginning of the line
	 * @param slowFor how long, from its beginning, the line runs at nine tenths of the
	 * monotonic clock's rate
	 */
	private record Line(long nanos, long start, long slowFor) {

		long at(long nanoTime) {
			long elapsed = nanoTime - this.nanos;
			long time = this.start + elapsed;
			return (this.slowFor == 0) ? time : time - Math.min(elapsed, this.slowFor) / 10;
		}

	}

}
