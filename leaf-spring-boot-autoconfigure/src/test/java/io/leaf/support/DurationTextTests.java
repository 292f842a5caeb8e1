// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0 ms", "PT0.0009S, 0 ms", "PT0.1S, 100 ms", "PT1S, 1 s", "PT1.5S, 1.5 s", "PT19.998S, 19.998 s",
			"PT60S, 1 min", "PT90S, 90 s", "PT15M, 15 min", "PT90M, 90 min", "PT1H, 1 h", "PT24H, 1 d", "PT25H, 25 h",
			"P365D, 365 d", "PT-0.5S, -500 ms", "PT-1S, -1 s", "PT-1.5S, -1.5 s",
			"PT9223372036854775807S, 9223372036854775807 s", "PT-9223372036854775808S, -9223372036854775808 s" })
	void of_writesAnyDuration(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

}
