// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Issues the IDs of one worker ID.
 * <p>
 * The state is one number, the {@code tick << sequenceBits | sequence} that was drawn
 * last. It only grows. If the state lies before the tick of the clock, an ID is drawn by
 * compare-and-set to one of the first numbers of that tick; otherwise, by adding one. So
 * a sequence that overflows carries into the next tick, and if the clock stands still or
 * steps back, ticks run ahead of it. Two bounds limit how far: the lead over the clock,
 * computed at each draw, and the horizon, up to which this process owns the timestamps of
 * the worker ID.
 * <p>
 * Adding needs no second attempt, however many threads draw. But threads that read the
 * state just below a bound may together carry the state beyond that bound. A number
 * beyond a bound is not issued to any caller, so of the numbers drawn, only those within
 * the horizon may have been issued.
 * <p>
 * The keeper of the leases writes the horizon after the store has confirmed it; a caller
 * that sees the new horizon may use all timestamps up to it. Sealing makes the state
 * negative, and keeps the last number drawn in its other bits: a number drawn before the
 * seal is included there, and a caller that adds afterwards gets a negative number and
 * issues nothing.
 * <p>
 * Drawing is safe for any number of threads. It takes no lock and allocates nothing.
 */
public final class SnowflakeLane {

	/**
	 * The result of {@link #tryNext} if no ID may be issued.
	 */
	static final long NONE = -1;

	/**
	 * The bit that makes the state negative. No addition clears it.
	 */
	private static final long SEAL = Long.MIN_VALUE;

	/**
	 * The value of {@link #lead} if the number of ticks in the lead depends on the
	 * position of the clock within a tick.
	 */
	private static final long UNEVEN = -1;

	/**
	 * The first sequence number of a fresh tick is a random number below this limit, as
	 * in Meituan's Leaf. If every tick began with 0, IDs issued one per tick would all be
	 * even.
	 */
	private static final int RANDOM_STARTS = 100;

	/**
	 * The number of longs in two cache lines. Processors fetch lines in pairs.
	 */
	private static final int PADDING = 16;

	/**
	 * The index of the count of skipped numbers. The count is next to the state, because
	 * a thread that writes the count writes the state as well.
	 */
	private static final int SKIPPED = PADDING + 1;

	private final TickScale ticks;

	private final long workerId;

	private final long maxLead;

	// the distance from the first number of the clock's tick to the last number that the
	// lead allows, or UNEVEN
	private final long lead;

	private final long seed;

	private final int workerBits;

	private final long workerPart;

	private final int sequenceBits;

	private final long maxSequence;

	private final int starts;

	private final long maxTick;

	// padded, so that the elements in use share a cache line with no other field
	private final AtomicLongArray last = new AtomicLongArray(2 * PADDING + 2);

	private final AtomicLong mostIssued = new AtomicLong();

	private long issuedBefore;

	private volatile long spent;

	private volatile long horizon;

	private volatile long limit;

	private volatile long sealedAt = NONE;

	SnowflakeLane(SnowflakeSettings settings, long workerId, long seed) {
		SnowflakeLayout layout = settings.layout();
		this.ticks = layout.ticks();
		this.workerId = workerId;
		this.seed = seed;
		this.sequenceBits = layout.sequenceBits();
		this.workerBits = layout.workerBits();
		this.workerPart = workerId << layout.sequenceBits();
		this.maxSequence = (1L << this.sequenceBits) - 1;
		// about a quarter of a tick's numbers, and a hundred at most; two if a tick has
		// only two numbers, so that odd IDs occur
		this.starts = (int) Math.min(RANDOM_STARTS, Math.min(this.maxSequence + 1, 2 + (this.maxSequence >> 2)));
		this.maxTick = layout.maxTick();
		this.maxLead = settings.maxLead().toMillis();
		this.lead = (this.ticks.length() == 1) ? endOf(this.maxLead) : UNEVEN;
		this.last.set(PADDING, SEAL);
	}

	/**
	 * Opens the lane for issuing.
	 * @param spentUntil the largest timestamp that must not be used, in milliseconds
	 * @param spentTick the largest tick that must not be used
	 * @param horizon the largest timestamp that may be used, in milliseconds
	 */
	void open(long spentUntil, long spentTick, long horizon) {
		extend(horizon);
		this.spent = endOf(Math.max(tick(spentUntil), spentTick));
		this.last.set(PADDING, this.spent);
	}

	/**
	 * Draws an ID.
	 * @param now the generator's clock, in milliseconds
	 * @return an ID, or {@link #NONE} if none may be issued at this time
	 */
	long tryNext(long now) {
		long tick = this.ticks.tickOf(now);
		long fresh = tick << this.sequenceBits;
		long bound = bound(now, fresh);
		long last = this.last.get(PADDING);
		if (last < fresh) {
			return tryFresh(tick, fresh, bound);
		}
		return (last < bound) ? add(bound) : NONE;
	}

	private long tryFresh(long tick, long fresh, long bound) {
		long next = fresh + start(tick);
		while (true) {
			long last = this.last.get(PADDING);
			if (last >= fresh) {
				return (last < bound) ? add(bound) : NONE;
			}
			if (last < 0 || next > bound) {
				return NONE;
			}
			if (advance(last, next, 1)) {
				return id(next);
			}
		}
	}

	private long add(long bound) {
		long next = this.last.incrementAndGet(PADDING);
		if (next > 0 && next <= bound) {
			return id(next);
		}
		if (next > 0) {
			this.last.getAndIncrement(SKIPPED);
		}
		return NONE;
	}

	/**
	 * Draws IDs in one step: as many as may be issued at this time, until the array is
	 * full.
	 * @param now the generator's clock, in milliseconds
	 * @param ids the array for the IDs
	 * @param from the index in the array of the first ID
	 * @return how many were drawn, 0 or more
	 */
	int tryNext(long now, long[] ids, int from) {
		long tick = this.ticks.tickOf(now);
		long fresh = tick << this.sequenceBits;
		long bound = bound(now, fresh);
		while (true) {
			long last = this.last.get(PADDING);
			long first = (last < fresh) ? fresh + start(tick) : last + 1;
			if (last < 0 || first > bound) {
				return 0;
			}
			int count = (int) Math.min(ids.length - from, bound - first + 1);
			if (advance(last, first, count)) {
				for (int i = 0; i < count; i++) {
					ids[from + i] = id(first + i);
				}
				return count;
			}
		}
	}

	// Skipped numbers are counted before the state moves past them: a concurrent reader
	// may find too few IDs issued, which its next reading corrects, but not too many.
	private boolean advance(long last, long first, int count) {
		long skipped = first - last - 1;
		if (skipped > 0) {
			this.last.getAndAdd(SKIPPED, skipped);
		}
		boolean advanced = this.last.compareAndSet(PADDING, last, first + count - 1);
		if (!advanced && skipped > 0) {
			this.last.getAndAdd(SKIPPED, -skipped);
		}
		return advanced;
	}

	// Returns the lower of the bounds set by lead and horizon, computed without overflow.
	// The horizon lies within the layout, so nothing is issued once the clock has passed
	// the end of the layout.
	private long bound(long now, long fresh) {
		long lead = (this.lead != UNEVEN) ? this.lead : endOf(this.ticks.tickOf(now + this.maxLead)) - fresh;
		return Math.min(fresh, this.limit - lead) + lead;
	}

	// Returns the first sequence number of a tick, by SplitMix64's finalizer: well mixed,
	// without state that threads would contend for.
	private long start(long tick) {
		long mixed = (tick + this.seed) * 0xbf58476d1ce4e5b9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
		return (mixed >>> 33) % this.starts;
	}

	private long id(long number) {
		return ((number & ~this.maxSequence) << this.workerBits) | this.workerPart | (number & this.maxSequence);
	}

	private long tick(long millis) {
		return Math.min(this.ticks.tickOf(millis), this.maxTick);
	}

	private long endOf(long tick) {
		return (tick << this.sequenceBits) | this.maxSequence;
	}

	/**
	 * Returns why {@link #tryNext} returned no ID.
	 * @param now the generator's clock, in milliseconds
	 */
	Obstacle obstacle(long now) {
		long last = this.last.get(PADDING);
		if (last < 0) {
			return Obstacle.SEALED;
		}
		if (this.ticks.tickOf(now) > this.maxTick || last >= endOf(this.maxTick)) {
			return Obstacle.LAYOUT_USED_UP;
		}
		return (Math.max(last + 1, tick(now) << this.sequenceBits) > this.limit) ? Obstacle.HORIZON : Obstacle.LEAD;
	}

	/**
	 * Returns how far the clock must advance until another ID may be drawn, if the lead
	 * is the only obstacle: one millisecond or more.
	 * @param now the generator's clock, in milliseconds
	 */
	Duration untilWithinLead(long now) {
		long last = this.last.get(PADDING);
		long next = this.ticks.millisOf((last + 1) >>> this.sequenceBits);
		return Duration.ofMillis(Math.max(1, next - this.maxLead - now));
	}

	/**
	 * Raises the horizon. Has no effect if the given one is not later than the present
	 * one.
	 * @param horizon the largest timestamp, inclusive, that may be put into an ID, in
	 * milliseconds since 1970-01-01T00:00:00Z; to be called only after the store has
	 * confirmed it
	 */
	public void extend(long horizon) {
		if (horizon > this.horizon) {
			this.horizon = horizon;
			this.limit = endOf(tick(horizon));
		}
	}

	/**
	 * Seals the lane: it issues no more IDs. Calling this method again has no effect.
	 * @return the largest tick that must not be used again: used by this lane, or
	 * excluded when it was opened
	 */
	public long seal() {
		long last = this.last.getAndUpdate(PADDING, (state) -> state | SEAL);
		if (last >= 0) {
			this.sealedAt = issued(last);
		}
		return used() >>> this.sequenceBits;
	}

	/**
	 * Returns whether the lane has been sealed, so that it issues no more IDs.
	 * @return whether it has been sealed
	 */
	public boolean isSealed() {
		return this.last.get(PADDING) < 0;
	}

	/**
	 * Returns the worker ID of the lane.
	 * @return the worker ID
	 */
	long workerId() {
		return this.workerId;
	}

	/**
	 * Returns the largest timestamp that may be put into an ID.
	 * @return milliseconds since 1970-01-01T00:00:00Z
	 */
	public long horizon() {
		return this.horizon;
	}

	/**
	 * Returns the largest timestamp that must not be used again after this lane: that of
	 * the ID issued last or, before the first ID, the one above which the lane was to
	 * begin. Constant after the lane has been sealed.
	 * @return milliseconds since 1970-01-01T00:00:00Z
	 */
	public long lastUsed() {
		return this.ticks.millisOf(used() >>> this.sequenceBits);
	}

	/**
	 * Continues the count of issued IDs of the lane that this one replaces.
	 * @param old a lane that has been sealed
	 */
	void countOn(SnowflakeLane old) {
		this.issuedBefore = old.issuedIds();
	}

	/**
	 * Returns how many IDs have been issued, including those of the lanes that this one
	 * replaced. IDs that are issued at this moment may be missing, and attempts that fail
	 * at this moment may be counted. A later call never returns less.
	 * @return how many IDs
	 */
	long issuedIds() {
		long sealedAt = this.sealedAt;
		long last = (sealedAt != NONE) ? sealedAt : this.last.get(PADDING) & ~SEAL;
		long issued = this.issuedBefore + last - this.spent - this.last.get(SKIPPED);
		return this.mostIssued.accumulateAndGet(issued, Math::max);
	}

	// Attempts that were under way may still add to the state of a sealed lane. A reader
	// that comes before the sealing thread has written sealedAt therefore gets too large
	// a value, which wastes at most one tick.
	private long used() {
		long sealedAt = this.sealedAt;
		return (sealedAt != NONE) ? sealedAt : issued(this.last.get(PADDING));
	}

	// Nothing has been issued beyond the horizon, whatever was drawn. The numbers that
	// were spent before the lane was opened may lie beyond the horizon.
	private long issued(long state) {
		return Math.max(this.spent, Math.min(state & ~SEAL, this.limit));
	}

	/**
	 * Why no ID can be issued.
	 */
	enum Obstacle {

		/**
		 * The lane has been sealed or has not been opened.
		 */
		SEALED,

		/**
		 * No timestamp up to the horizon is left: the lease has run out, or the state
		 * file reserves no later timestamp.
		 */
		HORIZON,

		/**
		 * The timestamps are as far ahead of the clock as they may be.
		 */
		LEAD,

		/**
		 * The layout has no timestamp left.
		 */
		LAYOUT_USED_UP

	}

}
