// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;

import io.leaf.segment.KeyPeriod;
import io.leaf.segment.KeySettings;
import io.leaf.segment.Ordering;
import io.leaf.segment.PeriodUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafProperties}.
 */
class LeafPropertiesTests {

	private static final Duration MAX_DRIFT = Duration.ofSeconds(10);

	private static Map<String, KeySettings> segmentKeys(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("leaf", LeafProperties.class)
			.segmentKeys(MAX_DRIFT);
	}

	@Test
	void periodIsBound() {
		assertThat(segmentKeys(Map.of("leaf.keys.invoice.period", "day", "leaf.keys.invoice.period-zone",
				"Asia/Shanghai", "leaf.keys.invoice.digits", "6", "leaf.keys.ticket.period", "year",
				"leaf.keys.ticket.period-zone", "+08:00", "leaf.keys.ticket.digits", "14", "leaf.keys.ticket.ordering",
				"strict")))
			.containsOnly(
					Map.entry("invoice",
							new KeySettings(1, null,
									new KeyPeriod(PeriodUnit.DAY, ZoneId.of("Asia/Shanghai"), 6, MAX_DRIFT))),
					Map.entry("ticket", new KeySettings(1, Ordering.STRICT,
							new KeyPeriod(PeriodUnit.YEAR, ZoneId.of("+08:00"), 14, MAX_DRIFT))));
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "day, -, 6, -, -, -, leaf.keys.invoice.period, leaf.keys.invoice.period-zone",
					"day, UTC, -, -, -, -, leaf.keys.invoice.period, leaf.keys.invoice.digits",
					"-, UTC, -, -, -, -, leaf.keys.invoice.period-zone, without a period",
					"-, -, 6, -, -, -, leaf.keys.invoice.digits, without a period",
					"day, UTC, 11, -, -, -, leaf.keys.invoice.digits, 10",
					"day, UTC, 0, -, -, -, leaf.keys.invoice.digits, from 1",
					"month, UTC, 13, -, -, -, leaf.keys.invoice.digits, 12",
					"year, UTC, 15, -, -, -, leaf.keys.invoice.digits, 14",
					"day, UTC, 6, striped, -, -, leaf.keys.invoice.ordering, 'global'",
					"day, UTC, 6, -, 100, -, leaf.keys.invoice.start-from, begin at 1",
					"day, UTC, 6, -, -, snowflake, leaf.keys.invoice.period, segment mode" })
	void contradictionIsExplained(String period, String zone, String digits, String ordering, String startFrom,
			String mode, String property, String reason) {
		Map<String, String> properties = new HashMap<>();
		properties.put("leaf.keys.invoice.period", period);
		properties.put("leaf.keys.invoice.period-zone", zone);
		properties.put("leaf.keys.invoice.digits", digits);
		properties.put("leaf.keys.invoice.ordering", ordering);
		properties.put("leaf.keys.invoice.start-from", startFrom);
		properties.put("leaf.keys.invoice.mode", mode);
		properties.values().removeIf((value) -> value == null);
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> segmentKeys(properties))
			.satisfies((ex) -> assertThat(ex.getName()).isEqualTo(property))
			.satisfies((ex) -> assertThat(ex.getReason()).contains(reason));
	}

	@Test
	void failoverGapLargerThanAPeriodIsRefused() {
		KeyPeriod period = new KeyPeriod(PeriodUnit.DAY, ZoneId.of("UTC"), 4, MAX_DRIFT);
		Map<String, KeySettings> keys = Map.of("invoice", new KeySettings(1, null, period));
		LeafSegmentProperties properties = new Binder(
				new MapConfigurationPropertySource(Map.of("leaf.segment.failover-gap", "10000")))
			.bind("leaf.segment", LeafSegmentProperties.class)
			.get();
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> properties.settings(keys))
			.satisfies((ex) -> assertThat(ex.getReason()).contains("'invoice'", "9999 numbers"));
	}

}
