// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Map;

public final class TestSettings {

	/**
	 * The defaults of the {@code leaf.segment} properties.
	 */
	public static final SegmentSettings DEFAULTS = SegmentSettings.builder()
		.prefetchAt(0.1)
		.targetDuration(Duration.ofMinutes(15))
		.maxStep(1_000_000)
		.acquireTimeout(Duration.ofSeconds(2))
		.refreshInterval(Duration.ofSeconds(60))
		.preload(false)
		.failFast(true)
		.autoCreateStep(0)
		.ordering(Ordering.STRICT)
		.giveBack(true)
		.keys(Map.of())
		.aboveExistingIds(true)
		.build();

	private TestSettings() {
	}

}
