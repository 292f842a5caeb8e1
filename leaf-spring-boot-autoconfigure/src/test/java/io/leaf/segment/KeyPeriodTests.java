// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import io.leaf.segment.KeyPeriod.Period;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link KeyPeriod}.
 */
class KeyPeriodTests {

	@ParameterizedTest
	@CsvSource({ "DAY, UTC, 2026-11-22T12:00:00Z, 20261122, 2026-11-22T00:00:00Z, 2026-11-23T00:00:00Z",
			"DAY, Asia/Shanghai, 2026-11-22T16:00:00Z, 20261123, 2026-11-22T16:00:00Z, 2026-11-23T16:00:00Z",
			"DAY, Asia/Shanghai, 2026-11-22T15:59:59.999999Z, 20261122, 2026-11-21T16:00:00Z, 2026-11-22T16:00:00Z",
			"DAY, -12:00, 2026-01-01T00:00:00Z, 20251231, 2025-12-31T12:00:00Z, 2026-01-01T12:00:00Z",
			"DAY, +14:00, 2025-12-31T10:00:00Z, 20260101, 2025-12-31T10:00:00Z, 2026-01-01T10:00:00Z",
			"DAY, UTC, 2028-02-29T23:59:59Z, 20280229, 2028-02-29T00:00:00Z, 2028-03-01T00:00:00Z",
			"DAY, Europe/Berlin, 2026-03-29T12:00:00Z, 20260329, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
			"DAY, Europe/Berlin, 2026-10-25T12:00:00Z, 20261025, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
			"MONTH, Asia/Shanghai, 2026-11-30T16:00:00Z, 202612, 2026-11-30T16:00:00Z, 2026-12-31T16:00:00Z",
			"MONTH, UTC, 2028-02-29T12:00:00Z, 202802, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
			"YEAR, America/New_York, 2027-01-01T04:59:59Z, 2026, 2026-01-01T05:00:00Z, 2027-01-01T05:00:00Z",
			"YEAR, Pacific/Auckland, 2026-12-31T11:00:00Z, 2027, 2026-12-31T11:00:00Z, 2027-12-31T11:00:00Z",
			// the day that Samoa skipped
			"DAY, Pacific/Apia, 2011-12-30T09:59:59Z, 20111229, 2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
			"DAY, Pacific/Apia, 2011-12-30T10:00:00Z, 20111231, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
			// the hour after midnight occurs twice
			"DAY, America/Havana, 2026-11-01T05:30:00Z, 20261101, 2026-11-01T04:00:00Z, 2026-11-02T05:00:00Z",
			// the day begins at one o'clock
			"DAY, America/Havana, 2026-03-08T05:00:00Z, 20260308, 2026-03-08T05:00:00Z, 2026-03-09T04:00:00Z",
			// one minute after midnight, clocks were set back to the end of the previous
			// day
			"DAY, America/St_Johns, 2010-11-07T02:30:30Z, 20101107, 2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z",
			"DAY, America/St_Johns, 2010-11-07T02:45:00Z, 20101107, 2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z" })
	void at_returnsThePeriodOfATime(PeriodUnit unit, String zone, Instant time, long number, Instant start,
			Instant until) {
		assertThat(period(unit, zone, 6).at(time))
			.isEqualTo(new Period(number, number * 1_000_000 + 1, (number + 1) * 1_000_000, start, until));
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTC", "Asia/Shanghai", "America/St_Johns", "America/Havana", "Pacific/Apia",
			"Europe/Berlin", "America/Sao_Paulo" })
	void everyPeriodBeginsWhenTheOneBeforeItEnds(String zone) {
		for (PeriodUnit unit : PeriodUnit.values()) {
			KeyPeriod periods = period(unit, zone, 6);
			Period period = periods.at(Instant.parse("2005-06-15T00:00:00Z"));
			while (period.number() < periods.at(Instant.parse("2037-06-15T00:00:00Z")).number()) {
				Period next = periods.at(period.until());
				assertThat(next.start()).as("%s %s", zone, next).isEqualTo(period.until());
				assertThat(next.first()).isGreaterThanOrEqualTo(period.end() + 1);
				assertThat(periods.at(period.until().minusNanos(1000))).isEqualTo(period);
				period = next;
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void allNumbersUpToTheYear9999Fit(PeriodUnit unit) {
		KeyPeriod periods = period(unit, "-12:00", unit.maxDigits());
		Period last = periods.at(Instant.parse("9999-12-31T23:59:58Z"));
		assertThat(last.number()).asString().startsWith("9999");
		assertThat(last.end()).isBetween(last.first(), SegmentStore.MAX_END);
		assertThat(last.until()).isEqualTo("9999-12-31T23:59:59Z");
		assertThatIllegalArgumentException().isThrownBy(() -> period(unit, "UTC", unit.maxDigits() + 1));
		assertThatIllegalArgumentException().isThrownBy(() -> period(unit, "UTC", 0));
	}

	@ParameterizedTest
	@CsvSource({ "DAY, 2026112200000001, 20261122", "DAY, 2026112300000000, 20261122",
			"DAY, 2028022900000005, 20280229", "DAY, 2026022900000001, 20260228", "DAY, 2026113114000001, 20261130",
			"DAY, 2026123299999999, 20261231", "MONTH, 20261300000001, 202612", "MONTH, 20261200000001, 202612",
			"YEAR, 202600000001, 2026", "YEAR, 100000000001, 1000" })
	void of_returnsThePeriodOfACounter(PeriodUnit unit, long counter, long number) {
		assertThat(period(unit, "UTC", 8).of(counter)).extracting(Period::number).isEqualTo(number);
	}

	@ParameterizedTest
	@CsvSource({ "DAY, 1001", "DAY, 202611220000001", "DAY, 20261122000000001", "DAY, 2026130100000001",
			"DAY, 2026110000000001", "MONTH, 2026112200000001", "MONTH, 202600000001", "YEAR, 99900000001",
			"YEAR, 2026112200000001", "YEAR, 9223372036854775807" })
	void of_returnsNullForACounterWithoutAPeriod(PeriodUnit unit, long counter) {
		assertThat(period(unit, "UTC", 8).of(counter)).isNull();
	}

	private static KeyPeriod period(PeriodUnit unit, String zone, int digits) {
		return new KeyPeriod(unit, ZoneId.of(zone), digits, Duration.ofSeconds(10));
	}

}
