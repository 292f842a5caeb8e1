// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

import org.jspecify.annotations.Nullable;

/**
 * The periods of a key, such as days. In each period, the numbers {@code n} begin at 1
 * again, and the IDs are {@code period × 10^digits + n}. For example, with eight digits,
 * the first ID of 22 November 2026 is 2026112200000001. So the IDs never repeat, and they
 * ascend across all periods.
 *
 * @param unit how long a period lasts
 * @param zone the time zone in which periods begin
 * @param digits how many decimal digits follow the number of the period in an ID, at
 * least 1 and at most 10 for days, 12 for months and 14 for years
 * @param maxDrift how far the counter may be ahead of the clock of the store, measured
 * from the time on that clock to the beginning of the counter's period
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
	 * Returns the period that contains a time.
	 */
	Period at(Instant time) {
		Period period = startingAt(this.unit.start(this.unit.number(LocalDate.ofInstant(time, this.zone))));
		// if the time zone sets clocks back just after midnight, the local date changes
		// back to the day before, although the next period has already begun
		return time.isBefore(period.until()) ? period : startingAt(this.unit.next(this.unit.start(period.number())));
	}

	/**
	 * Returns the period to which the number directly below a counter belongs. If a raise
	 * after a failover has moved the counter beyond the last day of a month or the last
	 * month of a year, returns the last period before the counter.
	 * @param counter the smallest number that has not been allocated
	 * @return the period, or {@code null} if the counter does not fit these periods
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
	 * @param number the number of the period, such as 20261122
	 * @param first the first ID of the period
	 * @param end the end of the period's IDs, exclusive
	 * @param start when the period begins
	 * @param until when the period ends, exclusive
	 */
	record Period(long number, long first, long end, Instant start, Instant until) {

	}

}
