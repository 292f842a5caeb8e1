// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnowflakeSettingsTests {

	private static SnowflakeSettings settings(String maxLead, int maxLanes, String acquireTimeout) {
		return new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.parse(maxLead), maxLanes,
				Duration.parse(acquireTimeout));
	}

	@ParameterizedTest
	@CsvSource({ "PT-0.001S, 1, PT1S, maxLead", "PT0S, 0, PT1S, maxLanes", "PT0S, 65, PT1S, maxLanes",
			"PT0S, 1, PT0S, acquireTimeout", "PT0S, 1, PT-1S, acquireTimeout" })
	void aValueOutOfRangeIsRefusedWithItsName(String maxLead, int maxLanes, String acquireTimeout, String name) {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> settings(maxLead, maxLanes, acquireTimeout))
			.withMessageStartingWith("'" + name + "' must be ");
	}

	@Test
	void theEndsOfTheRangesAreAccepted() {
		assertThat(settings("PT0S", 1, "PT0.000000001S").maxLead()).isZero();
		assertThat(settings("PT1S", 64, "PT1S").maxLanes()).isEqualTo(64);
	}

}
