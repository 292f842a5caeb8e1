// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

import org.jspecify.annotations.Nullable;

/**
 * The periods of a key, in each of which its numbers begin at 1 again: the ID is
 * {@code period × 10^digits + n}, such as 2026112200000001. So IDs never repeat, and
 * ascend over all periods.
 *
 * @param unit how long a period lasts
 * @param zone the time zone in which periods begin
 * @param digits how many decimal digits follow the number of the period, from 1 to 10 for
 * days, 12 for months and 14 for years
 * @param maxDrift how far the counter may be ahead of the clock of the store
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
					"digits must be from 1 to %d for unit %s: %d".formatted(unit.maxDigits(), unit, digits));
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
	 * Returns the factor of the period's number in an ID.
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
	 * Returns the first ID of the first period.
	 */
	long firstId() {
		return firstId(PeriodUnit.FIRST_DAY);
	}

	/**
	 * Returns the period at a time.
	 */
	Period at(Instant time) {
		Period period = startingAt(this.unit.start(this.unit.number(LocalDate.ofInstant(time, this.zone))));
		// clocks that go back just after midnight repeat the end of the day before
		return time.isBefore(period.until()) ? period : startingAt(this.unit.next(this.unit.start(period.number())));
	}

	/**
	 * Returns the period to which the last number below a counter belongs.
	 * @param counter the smallest number that has not been allocated
	 * @return the period, or {@code null} if that number does not belong to one
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
