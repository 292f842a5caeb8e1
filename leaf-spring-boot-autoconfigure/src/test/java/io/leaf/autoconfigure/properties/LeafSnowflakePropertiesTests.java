// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeafSnowflakePropertiesTests {

	private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

	private static final String LABEL = "10.0.0.1:8080";

	private static SnowflakeLayout layout(Map<String, String> properties) {
		return bind(properties).layout(NOW);
	}

	static LeafSnowflakeProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("leaf.snowflake",
				LeafSnowflakeProperties.class);
	}

	@Test
	void theDefaultPresetIsThatOfLeaf() {
		assertThat(layout(Map.of())).isEqualTo(SnowflakeLayout.LEAF);
	}

	@ParameterizedTest
	@CsvSource({ "leaf", "baidu", "js-safe", "JS_SAFE" })
	void presetsAreChosenByName(String preset) {
		assertThat(layout(Map.of("leaf.snowflake.layout.preset", preset))).isEqualTo(switch (preset) {
			case "leaf" -> SnowflakeLayout.LEAF;
			case "baidu" -> SnowflakeLayout.BAIDU;
			default -> SnowflakeLayout.JS_SAFE;
		});
	}

	@Test
	void propertiesOverrideThePreset() {
		assertThat(layout(Map.of("leaf.snowflake.layout.preset", "baidu", "leaf.snowflake.layout.timestamp-bits", "30",
				"leaf.snowflake.layout.worker-bits", "0", "leaf.snowflake.layout.sequence-bits", "31",
				"leaf.snowflake.layout.unit", "seconds", "leaf.snowflake.layout.epoch", "2020-01-01T00:00:00Z")))
			.isEqualTo(new SnowflakeLayout(30, 0, 31, Unit.SECONDS, Instant.parse("2020-01-01T00:00:00Z")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					timestamp-bits | 0                        | .timestamp-bits | from 1 to 63
					timestamp-bits | 64                       | .timestamp-bits | from 1 to 63
					worker-bits    | -1                       | .worker-bits    | from 0 to 31
					sequence-bits  | 32                       | .sequence-bits  | from 0 to 31
					epoch          | 2026-11-21T12:00:00.001Z | .epoch          | must not be in the future
					epoch          | 1969-12-31T23:59:59Z     | .epoch          | since 1970
					epoch          | 2024-01-01               | .epoch          | such as 2024-01-01T00:00:00Z
					epoch          | yesterday                | .epoch          | such as 2026-01-01T00:00:00Z
					timestamp-bits | 38                       | .epoch          | this layout ran out at 2019-07-21T12:41:21.601Z
					""")
	void aValueOutOfRangeIsReported(String name, String value, String property, String reason) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> layout(Map.of("leaf.snowflake.layout." + name, value)))
			.satisfies((ex) -> assertThat(ex.getName()).isEqualTo("leaf.snowflake.layout" + property))
			.satisfies((ex) -> assertThat(ex.getReason()).contains(reason));
	}

	@Test
	void tooManyBitsAreReported() {
		assertThatExceptionOfType(LeafStartupException.class)
			.isThrownBy(() -> layout(
					Map.of("leaf.snowflake.layout.timestamp-bits", "42", "leaf.snowflake.layout.preset", "leaf")))
			.withMessageContaining("add up to at most 63: 42 + 10 + 12 = 64");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			max-lead         | 11s  | from 0 ms to 10 s
			max-lanes        | 0    | from 1 to 64
			max-lanes        | 65   | from 1 to 64
			acquire-timeout  | 0s   | from 1 ms to 10 min
			report-interval  | 1ms  | from 1 s to 10 min
			lease-window     | 9s   | from 10 s to 7 d
			lease-window     | 8d   | from 10 s to 7 d
			clock.max-drift  | 1ms  | from 1 s to 7 d
			""")
	void aSettingOutOfRangeIsReported(String name, String value, String reason) {
		LeafSnowflakeProperties properties = bind(Map.of("leaf.snowflake." + name, value));
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class).isThrownBy(() -> {
			properties.settings(NOW);
			properties.leaseSettings("orders", LABEL);
		})
			.satisfies((ex) -> assertThat(ex.getName()).isEqualTo("leaf.snowflake." + name))
			.satisfies((ex) -> assertThat(ex.getReason()).contains(reason));
	}

	@Test
	void aWindowShorterThanThreeIntervalsIsReported() {
		LeafSnowflakeProperties properties = bind(
				Map.of("leaf.snowflake.report-interval", "10s", "leaf.snowflake.lease-window", "29s"));
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> properties.leaseSettings("orders", LABEL))
			.satisfies((ex) -> assertThat(ex.getReason()).contains("3 times leaf.snowflake.report-interval", "30 s"));
	}

	@Test
	void aFixedWorkerIdMustFitTheLayout() {
		assertThat(bind(Map.of("leaf.snowflake.worker.id", "1023")).workerId(SnowflakeLayout.LEAF)).isEqualTo(1023);
		for (String id : List.of("-1", "1024")) {
			assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
				.isThrownBy(() -> bind(Map.of("leaf.snowflake.worker.id", id)).workerId(SnowflakeLayout.LEAF))
				.satisfies((ex) -> assertThat(ex.getName()).isEqualTo("leaf.snowflake.worker.id"))
				.satisfies((ex) -> assertThat(ex.getReason()).contains("from 0 to 1023"));
		}
		assertThatExceptionOfType(LeafStartupException.class)
			.isThrownBy(() -> bind(Map.of()).workerId(SnowflakeLayout.LEAF))
			.withMessageContaining("leaf.snowflake.worker.id is not set");
	}

	@Test
	void aFixedWorkerIdHasAShortWindow() {
		assertThat(bind(Map.of("leaf.snowflake.worker.source", "file")).leaseSettings("orders", LABEL).window())
			.isLessThan(Duration.ofSeconds(10));
	}

	@Test
	void credentialsAreNotPrinted() {
		assertThat(bind(Map.of("leaf.snowflake.zookeeper.auth", "leaf:secret")).toString()).doesNotContain("secret");
	}

}
