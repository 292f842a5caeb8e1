// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The time of snowflake IDs: the wall clock as read at startup, carried on by the
 * monotonic clock. It never steps back.
 * <p>
 * The time is a linear function of the monotonic time, a line that is replaced as a
 * whole. {@link #follow()} compares the line with the wall clock once per second. If the
 * wall clock is ahead, the line is moved up to it. A move by more than the allowed drift
 * has to be confirmed: {@link #confirm(long)} is called with the time of another clock,
 * which must agree with the wall clock. If there is no other clock, it is called with the
 * wall clock's own time. If the wall clock is behind, the line continues at nine tenths
 * of the monotonic clock's rate for ten times the difference, and so meets the wall clock
 * without ever standing still.
 * <p>
 * Reading is safe for any number of threads, without a lock and without allocation.
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
	 * Creates a clock that shows the wall clock's time.
	 * @param wallClock the wall clock
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param maxDrift the largest forward step of the wall clock that is followed without
	 * confirmation, zero or longer
	 */
	public GeneratorClock(InstantSource wallClock, LongSupplier nanoTime, Duration maxDrift) {
		this.wallClock = wallClock;
		this.nanoTime = nanoTime;
		this.maxDrift = maxDrift.toNanos();
		this.line = new Line(nanoTime.getAsLong(), wallNanos(), 0);
	}

	/**
	 * Returns the time.
	 * @return milliseconds since 1970-01-01T00:00:00Z
	 */
	public long millis() {
		return this.line.at(this.nanoTime.getAsLong()) / 1_000_000;
	}

	/**
	 * Compares this clock with the wall clock, and follows the wall clock unless it is
	 * ahead by more than the allowed drift. To be called once per second.
	 * @return whether this clock follows the wall clock; if {@code false}, it does not
	 * until {@link #confirm(long)} has been called
	 */
	public boolean follow() {
		return follow(this.maxDrift);
	}

	/**
	 * Follows the wall clock, however far ahead, if another clock agrees with it to
	 * within the allowed drift. Otherwise has no effect.
	 * @param otherMillis the present time of the other clock, or of the wall clock if
	 * there is no other one, in milliseconds since 1970-01-01T00:00:00Z
	 * @return whether the two clocks agree
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
	 * Moves this clock forward to the given time, if it is behind: all earlier times may
	 * have been used. If this clock is then ahead of the wall clock, it runs slower until
	 * the wall clock has caught up.
	 * @param millis milliseconds since 1970-01-01T00:00:00Z
	 */
	public void raiseTo(long millis) {
		this.lock.lock();
		try {
			long nanos = this.nanoTime.getAsLong();
			long own = this.line.at(nanos);
			long raised = TimeUnit.MILLISECONDS.toNanos(millis);
			if (raised > own) {
				long behind = Math.max(0, raised - wallNanos());
				this.offset = -behind;
				this.line = new Line(nanos, raised, slowFor(behind));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns how far the wall clock was ahead of this one at the last comparison.
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
	 * The time as a function of the monotonic time. All times are in nanoseconds.
	 *
	 * @param nanos the monotonic time at the beginning of the line
	 * @param start the time at the beginning of the line
	 * @param slowFor for how long the line runs at nine tenths of the monotonic clock's
	 * rate
	 */
	private record Line(long nanos, long start, long slowFor) {

		long at(long nanoTime) {
			long elapsed = nanoTime - this.nanos;
			long time = this.start + elapsed;
			return (this.slowFor == 0) ? time : time - Math.min(elapsed, this.slowFor) / 10;
		}

	}

}
