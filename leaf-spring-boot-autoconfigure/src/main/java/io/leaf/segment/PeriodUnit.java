// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;

/**
 * How long a period of a key lasts.
 */
public enum PeriodUnit {

	/**
	 * A day. For example, the period of 22 November 2026 has the number 20261122.
	 */
	DAY(ChronoUnit.DAYS, 1, 10),

	/**
	 * A month. For example, the period of November 2026 has the number 202611.
	 */
	MONTH(ChronoUnit.MONTHS, 100, 12),

	/**
	 * A year. For example, the period of the year 2026 has the number 2026.
	 */
	YEAR(ChronoUnit.YEARS, 10_000, 14);

	/**
	 * The first day whose number has eight digits.
	 */
	static final LocalDate FIRST_DAY = LocalDate.of(1000, 1, 1);

	private static final int LAST_YEAR = 9999;

	private final ChronoUnit length;

	private final int divisor;

	private final int maxDigits;

	PeriodUnit(ChronoUnit length, int divisor, int maxDigits) {
		this.length = length;
		this.divisor = divisor;
		this.maxDigits = maxDigits;
	}

	/**
	 * Returns the largest number of digits that may follow the number of a period. With
	 * more digits, the IDs of the periods up to the year 9999 would not all fit into a
	 * {@code long}.
	 * @return 10, 12 or 14
	 */
	public int maxDigits() {
		return this.maxDigits;
	}

	/**
	 * Returns the number of the period to which a date belongs.
	 */
	long number(LocalDate date) {
		return (date.getYear() * 10_000L + date.getMonthValue() * 100 + date.getDayOfMonth()) / this.divisor;
	}

	/**
	 * Returns whether a number is the number of a period. For days, this includes numbers
	 * above the last day of a month (such as 20261199), and for months, numbers above the
	 * last month of a year (such as 202699), because a counter can reach such numbers
	 * when it is raised after a failover.
	 */
	boolean isPeriod(long number) {
		long start = number * this.divisor;
		long year = start / 10_000;
		long month = start / 100 % 100;
		long day = start % 100;
		if (year < FIRST_DAY.getYear() || year > LAST_YEAR) {
			return false;
		}
		return this == YEAR || (this == MONTH && month >= 1) || (month >= 1 && month <= 12 && day >= 1);
	}

	/**
	 * Returns the first day of the period with the given number. If no period has this
	 * number, returns the first day of the last period whose number is smaller.
	 */
	LocalDate start(long number) {
		long start = number * this.divisor;
		YearMonth month = YearMonth.of((int) (start / 10_000), (int) Math.min(12, Math.max(1, start / 100 % 100)));
		return month.atDay((int) Math.min(month.lengthOfMonth(), Math.max(1, start % 100)));
	}

	/**
	 * Returns the first day of the period after the one that begins on the given day.
	 */
	LocalDate next(LocalDate start) {
		return start.plus(1, this.length);
	}

}
