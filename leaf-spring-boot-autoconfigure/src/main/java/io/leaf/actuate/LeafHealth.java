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
 * The health of the modes, independent of Spring Boot's health types, which differ
 * between versions 3 and 4. Reads memory only. Safe for use by any number of threads.
 */
public final class LeafHealth {

	private final Map<String, Supplier<HealthReport>> parts = new LinkedHashMap<>();

	/**
	 * Creates the health of the modes that are enabled.
	 * @param segment the generator of segment mode, or {@code null} if that mode is off
	 * @param lanes the lanes that issue snowflake IDs, or {@code null} if that mode is
	 * off
	 * @param keeper the keeper of the lanes' leases, or {@code null} if that mode is off
	 * @param thresholds the thresholds of warnings
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
	 * Returns the health of each mode.
	 * @return for each mode, by its name, a supplier of the current health
	 */
	public Map<String, Supplier<HealthReport>> parts() {
		return this.parts;
	}

}
