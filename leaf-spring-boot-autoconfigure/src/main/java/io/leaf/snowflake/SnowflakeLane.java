// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Issues the IDs of one worker ID.
 * <p>
 * The state is one number, {@code tick << sequenceBits | sequence}: the number that was
 * drawn last. The state only grows. If the tick of the state is earlier than the tick of
 * the clock, a caller draws an ID by setting the state to one of the first numbers of the
 * clock's tick, with a compare-and-set. Otherwise, the caller draws an ID by adding one
 * to the state. If the sequence number overflows, the addition carries into the next
 * tick. So callers can draw even while the clock stands still or steps back, and the tick
 * of the state can run ahead of the clock. Two bounds limit the state: the clock plus the
 * maximum lead, which is computed at each draw, and the horizon, up to which this process
 * owns the timestamps of the worker ID.
 * <p>
 * Unlike the compare-and-set, an addition cannot fail, however many threads draw at once.
 * But several threads that read a state just below a bound can together raise the state
 * beyond the bound. A number beyond a bound is drawn but not issued. Numbers beyond the
 * horizon have therefore never been issued.
 * <p>
 * The keeper of the leases sets the horizon of a lane only after the store has confirmed
 * that horizon, so a caller may use all timestamps up to the horizon that it has read.
 * Sealing sets the sign bit of the state. The other bits keep the number that was drawn
 * last, and no number that was drawn before the lane was sealed is larger. A caller that
 * adds 1 to the state afterwards gets a negative number, and issues no ID.
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
	 * The value of {@link #lead} if ticks are longer than a millisecond. How many ticks
	 * the maximum lead spans then depends on the position of the clock within its tick.
	 */
	private static final long UNEVEN = -1;

	/**
	 * The first sequence number of a fresh tick is a random number below this limit, as
	 * in Meituan's Leaf. If every tick began with 0, IDs issued one per tick would all be
	 * even.
	 */
	private static final int RANDOM_STARTS = 100;

	/**
	 * The number of longs in two cache lines. Some processors fetch cache lines in pairs.
	 */
	private static final int PADDING = 16;

	/**
	 * The index of the count of skipped numbers: numbers up to the state that were not
	 * issued as IDs. The count is next to the state, usually in the same cache line,
	 * because a thread that writes the count also writes the state.
	 */
	private static final int SKIPPED = PADDING + 1;

	private final TickScale ticks;

	private final long workerId;

	private final long maxLead;

	// the distance from the first number of the clock's tick to the last number that the
	// maximum lead allows, or UNEVEN
	private final long lead;

	private final long seed;

	private final int workerBits;

	private final long workerPart;

	private final int sequenceBits;

	private final long maxSequence;

	private final int starts;

	private final long maxTick;

	// padded, so that no other field shares a cache line with the elements in use
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
		// how many first sequence numbers are possible: about a quarter of the numbers of
		// a tick, at most a hundred, and at least two (unless a tick has only one
		// number), so that odd IDs also occur
		this.starts = (int) Math.min(RANDOM_STARTS, Math.min(this.maxSequence + 1, 2 + (this.maxSequence >> 2)));
		this.maxTick = layout.maxTick();
		this.maxLead = settings.maxLead().toMillis();
		this.lead = (this.ticks.length() == 1) ? endOf(this.maxLead) : UNEVEN;
		this.last.set(PADDING, SEAL);
	}

	/**
	 * Opens the lane, so that it issues IDs.
	 * @param spentUntil the largest timestamp that may have been used with the worker ID
	 * before, in milliseconds since 1970-01-01T00:00:00Z
	 * @param spentTick the largest tick that other lanes have used. This lane starts
	 * above that tick
	 * @param horizon the largest timestamp that may be used, in milliseconds since
	 * 1970-01-01T00:00:00Z
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
	 * Draws several IDs in one step: as many as may be issued at this time and fit into
	 * the array.
	 * @param now the generator's clock, in milliseconds
	 * @param ids the array for the IDs
	 * @param from the index in the array at which the first ID is stored
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

	// Counts skipped numbers before the state moves past them. A thread that reads the
	// count of issued IDs in between gets too low a count, which the next reading
	// corrects, but never too high a count.
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

	// Returns the bound set by the maximum lead or the bound set by the horizon,
	// whichever is lower. The computation cannot overflow. The bound set by the horizon
	// lies within the layout, so no ID is issued once the clock has passed the end of the
	// layout.
	private long bound(long now, long fresh) {
		long lead = (this.lead != UNEVEN) ? this.lead : endOf(this.ticks.tickOf(now + this.maxLead)) - fresh;
		return Math.min(fresh, this.limit - lead) + lead;
	}

	// Returns the first sequence number of a tick. The number is computed from the tick,
	// much as in the finalizer of SplitMix64, so that there is no shared state for which
	// threads would contend.
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
	 * is the only obstacle. The result is at least one millisecond.
	 * @param now the generator's clock, in milliseconds
	 */
	Duration untilWithinLead(long now) {
		long last = this.last.get(PADDING);
		long next = this.ticks.millisOf((last + 1) >>> this.sequenceBits);
		return Duration.ofMillis(Math.max(1, next - this.maxLead - now));
	}

	/**
	 * Raises the horizon. Has no effect if the given horizon is not later than the
	 * present horizon.
	 * @param horizon the largest timestamp, inclusive, that may be put into an ID, in
	 * milliseconds since 1970-01-01T00:00:00Z. The store must have confirmed this horizon
	 * before the call
	 */
	public void extend(long horizon) {
		if (horizon > this.horizon) {
			this.horizon = horizon;
			this.limit = endOf(tick(horizon));
		}
	}

	/**
	 * Seals the lane, so that it issues no more IDs. Calling this method again has no
	 * effect.
	 * @return the largest tick that must not be used again, because this lane has used
	 * the tick or was opened above it
	 */
	public long seal() {
		long last = this.last.getAndUpdate(PADDING, (state) -> state | SEAL);
		if (last >= 0) {
			this.sealedAt = issued(last);
		}
		return used() >>> this.sequenceBits;
	}

	/**
	 * Returns whether the lane has been sealed or has not been opened, so that it issues
	 * no IDs.
	 * @return whether the lane issues no IDs
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
	 * Returns the largest timestamp that must not be used again. This is the timestamp of
	 * the number that was drawn last, even if the number was not issued, but at most the
	 * horizon. Before the first draw, it is the timestamp above which this lane was
	 * opened. The result no longer changes after the lane has been sealed.
	 * @return milliseconds since 1970-01-01T00:00:00Z
	 */
	public long lastUsed() {
		return this.ticks.millisOf(used() >>> this.sequenceBits);
	}

	/**
	 * Adds the IDs that another lane has issued to the count of this lane, which replaces
	 * the other lane.
	 * @param old the replaced lane, which has been sealed
	 */
	void countOn(SnowflakeLane old) {
		this.issuedBefore = old.issuedIds();
	}

	/**
	 * Returns how many IDs have been issued, including the IDs of the lanes that this
	 * lane replaced. IDs that are issued during the call may be missing, and attempts
	 * that fail during the call may be counted. A later call never returns a lower
	 * number.
	 * @return how many IDs
	 */
	long issuedIds() {
		long sealedAt = this.sealedAt;
		long last = (sealedAt != NONE) ? sealedAt : this.last.get(PADDING) & ~SEAL;
		long issued = this.issuedBefore + last - this.spent - this.last.get(SKIPPED);
		return this.mostIssued.accumulateAndGet(issued, Math::max);
	}

	// Threads that were drawing IDs when the lane was sealed may still add to the state.
	// If this method is called before sealedAt has been written, the result may therefore
	// be too large, which usually wastes at most one tick.
	private long used() {
		long sealedAt = this.sealedAt;
		return (sealedAt != NONE) ? sealedAt : issued(this.last.get(PADDING));
	}

	// Numbers beyond the horizon may have been drawn, but have not been issued. The
	// numbers that were spent before the lane was opened may also lie beyond the horizon,
	// and count as issued.
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
		 * No timestamp up to the horizon is left. The horizon is where the lease or its
		 * reservation in the state file ends, whichever is earlier.
		 */
		HORIZON,

		/**
		 * The timestamps are as far ahead of the clock as {@code leaf.snowflake.max-lead}
		 * allows.
		 */
		LEAD,

		/**
		 * The layout has no timestamp left.
		 */
		LAYOUT_USED_UP

	}

}
