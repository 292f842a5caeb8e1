// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Defines how the bits of a snowflake ID are used. From the most significant bit to the
 * least significant bit, an ID consists of a sign bit that is always 0, the time since
 * the epoch, the worker ID, and the sequence number, which distinguishes IDs with the
 * same worker ID and tick.
 * <p>
 * IDs of two layouts must never serve the same purpose, such as identifying the rows of
 * one table, because an ID of one layout can be equal to an ID of the other layout.
 *
 * @param timestampBits the number of bits of the time, at least 1
 * @param workerBits the number of bits of the worker ID, 0 to 31
 * @param sequenceBits the number of bits of the sequence number, 0 to 31. The three
 * numbers of bits must add up to at most {@value #MAX_BITS}
 * @param unit the length of a tick
 * @param epoch the time of tick 0, which lies a whole number of ticks after
 * 1970-01-01T00:00:00Z
 */
public record SnowflakeLayout(int timestampBits, int workerBits, int sequenceBits, Unit unit, Instant epoch) {

	/**
	 * The largest number of bits of an ID, without the sign bit.
	 */
	public static final int MAX_BITS = 63;

	/**
	 * The layout of Meituan's Leaf, and of Twitter's Snowflake before it: 41 bits of
	 * milliseconds since 2010-11-04T01:42:54.657Z, 10 bits for the worker ID, and 12 bits
	 * for the sequence number. Runs out in July 2080.
	 */
	public static final SnowflakeLayout LEAF = new SnowflakeLayout(41, 10, 12, Unit.MILLISECONDS,
			Instant.ofEpochMilli(1288834974657L));

	/**
	 * A layout for very many workers, with the numbers of bits of Baidu's uid-generator
	 * and a later epoch: 28 bits of seconds since 2026-01-01T00:00:00Z, 22 bits for the
	 * worker ID, and 13 bits for the sequence number. Runs out in July 2034. (With
	 * Baidu's own epoch, 2016-05-20, the layout ran out in 2024.)
	 */
	public static final SnowflakeLayout BAIDU = new SnowflakeLayout(28, 22, 13, Unit.SECONDS,
			Instant.parse("2026-01-01T00:00:00Z"));

	/**
	 * A layout whose IDs JavaScript can hold as numbers: 41 bits of milliseconds since
	 * 2026-01-01T00:00:00Z, 6 bits for the worker ID, and 6 bits for the sequence number,
	 * 53 bits in all. For up to 64 workers with 64,000 IDs per second each. Runs out in
	 * September 2095.
	 */
	public static final SnowflakeLayout JS_SAFE = new SnowflakeLayout(41, 6, 6, Unit.MILLISECONDS,
			Instant.parse("2026-01-01T00:00:00Z"));

	/**
	 * The number of bits of Number.MAX_SAFE_INTEGER, up to which JavaScript represents
	 * every integer exactly.
	 */
	private static final int JAVASCRIPT_BITS = 53;

	private static final int MAX_FIELD_BITS = 31;

	/**
	 * Creates a layout.
	 * @throws IllegalArgumentException if a number of bits is out of its range, if the
	 * numbers of bits add up to more than {@value #MAX_BITS}, or if the epoch is not a
	 * whole number of ticks after 1970-01-01T00:00:00Z
	 */
	public SnowflakeLayout {
		require(timestampBits >= 1, "timestampBits must be 1 or more: " + timestampBits);
		require(workerBits >= 0 && workerBits <= MAX_FIELD_BITS, "workerBits must be from 0 to 31: " + workerBits);
		require(sequenceBits >= 0 && sequenceBits <= MAX_FIELD_BITS,
				"sequenceBits must be from 0 to 31: " + sequenceBits);
		long bits = (long) timestampBits + workerBits + sequenceBits;
		require(bits <= MAX_BITS,
				"timestampBits, workerBits and sequenceBits must add up to at most %d: %d + %d + %d = %d"
					.formatted(MAX_BITS, timestampBits, workerBits, sequenceBits, bits));
		require(!epoch.isBefore(Instant.EPOCH) && epoch.equals(epoch.truncatedTo(unit.unit)),
				"epoch must be a whole number of %s since 1970: %s".formatted(unit, epoch));
	}

	private static void require(boolean valid, String message) {
		if (!valid) {
			throw new IllegalArgumentException(message);
		}
	}

	/**
	 * Splits an ID of this layout into its parts.
	 * @param id the ID, zero or greater
	 * @return the parts of the ID
	 * @throws IllegalArgumentException if the number is not an ID of this layout, because
	 * it is negative or has more bits than the layout
	 */
	public SnowflakeId decode(long id) {
		if (id < 0 || id > maxId()) {
			throw new IllegalArgumentException(
					"%d is not an ID of this layout: it must be from 0 to %d".formatted(id, maxId()));
		}
		long tick = id >>> (this.workerBits + this.sequenceBits);
		return new SnowflakeId(instant(tick), (id >>> this.sequenceBits) & mask(this.workerBits),
				id & mask(this.sequenceBits));
	}

	private Instant instant(long tick) {
		return this.epoch.plus(tick, this.unit.unit);
	}

	/**
	 * Returns the largest ID.
	 * @return 1 or more
	 */
	public long maxId() {
		return mask(this.timestampBits + this.workerBits + this.sequenceBits);
	}

	/**
	 * Returns the largest worker ID.
	 * @return 0 or more
	 */
	public long maxWorkerId() {
		return mask(this.workerBits);
	}

	/**
	 * Returns how many IDs per second one worker can issue.
	 * @return 1 or more
	 */
	public long idsPerSecond() {
		return (mask(this.sequenceBits) + 1) * (Duration.ofSeconds(1).dividedBy(this.unit.unit.getDuration()));
	}

	/**
	 * Returns the time at which this layout runs out: the end of its last tick.
	 * @return a time; {@link Instant#MAX} if it is later than any {@code Instant}
	 */
	public Instant exhaustedAt() {
		try {
			return instant(mask(this.timestampBits)).plus(1, this.unit.unit);
		}
		catch (DateTimeException | ArithmeticException ex) {
			return Instant.MAX;
		}
	}

	/**
	 * Returns whether JavaScript can hold the IDs of this layout as numbers without
	 * rounding them.
	 * @return whether all bits together are at most 53
	 */
	public boolean fitsJavaScript() {
		return this.timestampBits + this.workerBits + this.sequenceBits <= JAVASCRIPT_BITS;
	}

	TickScale ticks() {
		return new TickScale(this.epoch.toEpochMilli(), this.unit.millis);
	}

	long maxTick() {
		return mask(this.timestampBits);
	}

	/**
	 * Returns a description of the layout. Two layouts are equal if and only if their
	 * descriptions are equal. Each store of leases records the description, and compares
	 * it with that of the process.
	 * @return for example
	 * {@code 41+10+12 bits, MILLISECONDS since 2010-11-04T01:42:54.657Z}
	 */
	@Override
	public String toString() {
		// numbers are formatted with %s, because %d uses the digits of the default locale
		return "%s+%s+%s bits, %s since %s".formatted(this.timestampBits, this.workerBits, this.sequenceBits, this.unit,
				this.epoch);
	}

	private static long mask(int bits) {
		return (1L << bits) - 1;
	}

	/**
	 * The length of a tick.
	 */
	public enum Unit {

		/**
		 * One thousand ticks per second.
		 */
		MILLISECONDS(ChronoUnit.MILLIS),

		/**
		 * One tick per second.
		 */
		SECONDS(ChronoUnit.SECONDS);

		private final ChronoUnit unit;

		private final long millis;

		Unit(ChronoUnit unit) {
			this.unit = unit;
			this.millis = unit.getDuration().toMillis();
		}

	}

}
