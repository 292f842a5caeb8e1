// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.leaf.support.KeyPatterns;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SegmentSettingsTests {

	@Test
	void theFirstValueThatIsNotSetIsNamed() {
		assertThatIllegalStateException().isThrownBy(() -> SegmentSettings.builder().build())
			.withMessageContaining("'prefetchAt'");
		assertThatIllegalStateException().isThrownBy(() -> SegmentSettings.builder().prefetchAt(0.1).maxStep(1).build())
			.withMessageContaining("'targetDuration'");
	}

	@Test
	void rowsMayBeAddedForEveryKeyUnlessPatternsAreSet() {
		assertThat(TestSettings.DEFAULTS.autoCreateKeys()).isEqualTo(KeyPatterns.ALL);
	}

	@Test
	void aCopyHasTheSameValues() {
		SegmentSettings settings = new SegmentSettings(0.5, Duration.ofMinutes(3), 77, Duration.ofMillis(300),
				Duration.ofSeconds(7), true, false, 55, Ordering.STRIPED, false, Map.of("order", KeySettings.DEFAULT),
				true, new KeyPatterns(List.of("order*")));
		assertThat(settings.toBuilder().build()).isEqualTo(settings);
		SegmentSettings opposite = settings.toBuilder()
			.preload(false)
			.failFast(true)
			.giveBack(true)
			.aboveExistingIds(false)
			.build();
		assertThat(opposite.toBuilder().build()).isEqualTo(opposite);
	}

}
