// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;

/**
 * Settings for issuing snowflake IDs. The record components are named after the
 * {@code leaf.snowflake} properties.
 *
 * @param layout the layout of the IDs
 * @param maxLead how far the timestamps of issued IDs may run ahead of the clock, zero or
 * longer
 * @param maxLanes how many worker IDs the process may use at the same time, 1 to
 * {@value #MAX_LANES}
 * @param acquireTimeout how long a caller waits at most if no ID can be issued
 * immediately; must be longer than zero
 */
public record SnowflakeSettings(SnowflakeLayout layout, Duration maxLead, int maxLanes, Duration acquireTimeout) {

	/**
	 * The largest number of lanes.
	 */
	public static final int MAX_LANES = 64;

	/**
	 * Creates settings.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public SnowflakeSettings {
		require(!maxLead.isNegative(), "maxLead", maxLead, "zero or longer");
		require(maxLanes >= 1 && maxLanes <= MAX_LANES, "maxLanes", maxLanes, "from 1 to " + MAX_LANES);
		require(acquireTimeout.compareTo(Duration.ZERO) > 0, "acquireTimeout", acquireTimeout, "positive");
	}

	private static void require(boolean valid, String name, Object value, String range) {
		if (!valid) {
			throw new IllegalArgumentException("'%s' must be %s: %s".formatted(name, range, value));
		}
	}

}
