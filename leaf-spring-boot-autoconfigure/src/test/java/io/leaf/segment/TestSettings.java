// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Map;

public final class TestSettings {

	/**
	 * The defaults of the {@code leaf.segment} properties.
	 */
	public static final SegmentSettings DEFAULTS = new SegmentSettings(0.1, Duration.ofMinutes(15), 1_000_000,
			Duration.ofSeconds(2), Duration.ofSeconds(60), false, true, 0, Ordering.STRICT, true, Map.of(), true);

	private TestSettings() {
	}

}
