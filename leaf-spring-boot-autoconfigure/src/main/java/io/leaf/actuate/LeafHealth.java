// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the modes are doing, for the health of Spring Boot, whose types have other
 * names in version 3 than in version 4. Reads memory only, and may be asked by any number
 * of threads.
 */
public final class LeafHealth {

	private final Map<String, Supplier<HealthReport>> parts = new LinkedHashMap<>();

	/**
	 * Creates the health of the modes that are on.
	 * @param segment the generator of segment mode, or {@code null} if that is off
	 * @param lanes where snowflake IDs are drawn, or {@code null} if that mode is off
	 * @param keeper the keeper of their leases, or {@code null} if that mode is off
	 * @param thresholds from where on to warn
	 */
	public LeafHealth(@Nullable SegmentIdGenerator segment, @Nullable SnowflakeLanes lanes,
			@Nullable LeaseKeeper keeper, HealthThresholds thresholds) {
		if (segment != null) {
			this.parts.put("segment", new SegmentHealth(segment, thresholds.lowBuffer())::report);
		}
		if (lanes != null && keeper != null) {
			this.parts.put("snowflake", new SnowflakeHealth(lanes, keeper, thresholds)::report);
		}
	}

	/**
	 * Returns the parts.
	 * @return by the name of the mode, what tells how it is doing at the moment
	 */
	public Map<String, Supplier<HealthReport>> parts() {
		return this.parts;
	}

}
