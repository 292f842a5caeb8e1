// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeaseSettingsTests {

	private static LeaseSettings settings(String interval, String window, String maxDrift) {
		return new LeaseSettings("orders", "a:1", Duration.parse(interval), Duration.parse(window),
				Duration.parse(maxDrift));
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, PT9S, PT0S, reportInterval", "PT-1S, PT9S, PT0S, reportInterval",
			"PT3S, PT8.999S, PT0S, window", "PT3S, PT9S, PT-0.001S, maxDrift" })
	void aValueOutOfRangeIsRefusedWithItsName(String interval, String window, String maxDrift, String name) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> settings(interval, window, maxDrift))
			.withMessageStartingWith("'" + name + "' must be ");
	}

	@Test
	void theEndsOfTheRangesAreAccepted() {
		assertThat(settings("PT3S", "PT9S", "PT0S").maxDrift()).isZero();
	}

	@Test
	void aFixedWorkerIdIsLeasedForAsLongAsTheFileReserves() {
		LeaseSettings settings = LeaseSettings.ofFile("orders", "a:1", Duration.ofSeconds(10));
		assertThat(settings.window()).isEqualTo(Reservation.LENGTH);
		assertThat(settings.maxDrift()).as("a killed process has reserved that much")
			.isEqualTo(Duration.ofSeconds(10).plus(Reservation.LENGTH));
	}

}
