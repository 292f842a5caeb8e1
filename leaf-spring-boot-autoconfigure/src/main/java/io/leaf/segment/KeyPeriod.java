// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

import org.jspecify.annotations.Nullable;

/**
 * The periods of a key. In each period, the number {@code n} begins at 1 again, and the
 * ID is {@code period × 10^digits + n}, such as 2026112200000001. So IDs never repeat,
 * and ascend across all periods.
 *
 * @param unit how long a period lasts
 * @param zone the time zone in which periods begin
 * @param digits how many decimal digits follow the number of the period: at least 1, and
 * at most 10 for days, 12 for months and 14 for years
 * @param maxDrift how long after the time on the clock of the store the period of the
 * counter may begin
 */
public record KeyPeriod(PeriodUnit unit, ZoneId zone, int digits, Duration maxDrift) {

	/**
	 * The latest time that every database can compare with its clock.
	 */
	private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

	/**
	 * Creates the periods of a key.
	 * @throws IllegalArgumentException if the number of digits is out of range
	 */
	public KeyPeriod {
		if (digits < 1 || digits > unit.maxDigits()) {
			throw new IllegalArgumentException(
					"digits must be from 1 to %d for unit %s, but is %d".formatted(unit.maxDigits(), unit, digits));
		}
	}

	/**
	 * Returns how many numbers a period has.
	 * @return 10^digits - 1
	 */
	public long capacity() {
		return scale() - 1;
	}

	/**
	 * Returns the factor by which the number of a period is multiplied in an ID.
	 */
	private long scale() {
		long scale = 1;
		for (int i = 0; i < this.digits; i++) {
			scale *= 10;
		}
		return scale;
	}

	/**
	 * Returns the first ID of a period.
	 * @param date a date in the period, in the years 1000 to 9999
	 * @return the ID
	 */
	public long firstId(LocalDate date) {
		return this.unit.number(date) * scale() + 1;
	}

	/**
	 * Returns the first ID of the first period, which begins in the year 1000.
	 */
	long firstId() {
		return firstId(PeriodUnit.FIRST_DAY);
	}

	/**
	 * Returns the period in which a time lies.
	 */
	Period at(Instant time) {
		Period period = startingAt(this.unit.start(this.unit.number(LocalDate.ofInstant(time, this.zone))));
		// if clocks are set back just after midnight, the local date is that of the day
		// before again, although the next period has begun
		return time.isBefore(period.until()) ? period : startingAt(this.unit.next(this.unit.start(period.number())));
	}

	/**
	 * Returns the period to which the number before a counter belongs.
	 * @param counter the smallest number that has not been allocated
	 * @return the period, or {@code null} if the number before the counter belongs to no
	 * period
	 */
	@Nullable Period of(long counter) {
		long number = (counter - 1) / scale();
		return this.unit.isPeriod(number) ? startingAt(this.unit.start(number)) : null;
	}

	private Period startingAt(LocalDate start) {
		Instant until = instant(this.unit.next(start));
		long number = this.unit.number(start);
		return new Period(number, number * scale() + 1, (number + 1) * scale(), instant(start),
				until.isBefore(END) ? until : END);
	}

	private Instant instant(LocalDate date) {
		return date.atStartOfDay(this.zone).toInstant();
	}

	/**
	 * A period of a key.
	 *
	 * @param number its number
	 * @param first the first ID that belongs to it
	 * @param end the end of its IDs, exclusive
	 * @param start when it begins
	 * @param until when it ends, exclusive
	 */
	record Period(long number, long first, long end, Instant start, Instant until) {

	}

}
