// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Map;

import io.leaf.segment.SegmentStore.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which settings and which segments are possible.
 */
class SegmentSettingsTests {

	private static SegmentSettings settings(double prefetchAt, String target, long maxStep, String timeout,
			String refresh, int autoCreateStep) {
		return new SegmentSettings(prefetchAt, Duration.parse(target), maxStep, Duration.parse(timeout),
				Duration.parse(refresh), false, true, autoCreateStep, Ordering.STRICT, true, Map.of(), true);
	}

	@ParameterizedTest
	@CsvSource({ "-0.01, PT1S, 1, PT1S, PT1S, 0, prefetchAt", "1.01, PT1S, 1, PT1S, PT1S, 0, prefetchAt",
			"0, PT0S, 1, PT1S, PT1S, 0, targetDuration", "0, PT1S, 0, PT1S, PT1S, 0, maxStep",
			"0, PT1S, 1, PT0S, PT1S, 0, acquireTimeout", "0, PT1S, 1, PT-1S, PT1S, 0, acquireTimeout",
			"0, PT1S, 1, PT1S, PT0S, 0, refreshInterval", "0, PT1S, 1, PT1S, PT1S, -1, autoCreateStep" })
	void aValueOutOfRangeIsRefusedByItsName(double prefetchAt, String target, long maxStep, String timeout,
			String refresh, int autoCreateStep, String name) {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> settings(prefetchAt, target, maxStep, timeout, refresh, autoCreateStep))
			.withMessageStartingWith("'" + name + "' must be ");
	}

	@Test
	void aKeyThatBeginsBelow1IsRefusedByItsName() {
		SegmentSettings s = SegmentSettings.DEFAULTS;
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> new SegmentSettings(s.prefetchAt(), s.targetDuration(), s.maxStep(), s.acquireTimeout(),
					s.refreshInterval(), s.preload(), s.failFast(), s.autoCreateStep(), s.ordering(), s.giveBack(),
					Map.of("order", 0L), s.aboveExistingIds()))
			.withMessage("'startFrom.order' must be 1 or more: 0");
	}

	@Test
	void theEndsOfTheRangesArePossible() {
		assertThat(settings(0, "PT0.000000001S", 1, "PT0.000000001S", "PT0.000000001S", 0).maxStep()).isOne();
		assertThat(settings(1, "PT1S", Long.MAX_VALUE, "PT1S", "PT1S", Integer.MAX_VALUE).prefetchAt()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "-1, 1, 1", "1, 1, 1", "2, 1, 1", "0, 1, -1", "0, 9223370937343148032, 1" })
	void whatIsNoSegmentIsRefused(long from, long to, long rowStep) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new Allocation(from, to, rowStep))
			.withMessage("Not a segment: from=%d to=%d step=%d".formatted(from, to, rowStep));
	}

	@Test
	void theSmallestAndTheLastSegment() {
		assertThat(new Allocation(0, 1, 1).to()).isOne();
		assertThat(new Allocation(SegmentStore.MAX_END - 1, SegmentStore.MAX_END, 1).to())
			.isEqualTo(9223370937343148031L);
	}

}
