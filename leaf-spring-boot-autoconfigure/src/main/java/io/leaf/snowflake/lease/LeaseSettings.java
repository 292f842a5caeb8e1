// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;

/**
 * Settings for keeping leases.
 *
 * @param name the name under which the application issues IDs, {@code leaf.name}
 * @param host the label of this process, {@code host:port}
 * @param reportInterval how often a lease is renewed
 * @param window how long a lease lasts after a renewal, at least three report intervals
 * @param maxDrift how far this process's clock may differ, at startup, from the clocks of
 * the other processes or of the store, and how far it may lie behind the timestamps that
 * were used before a restart, zero or longer
 */
public record LeaseSettings(String name, String host, Duration reportInterval, Duration window, Duration maxDrift) {

	/**
	 * The smallest number of report intervals that a lease must last, so that two
	 * renewals in a row may fail without any effect.
	 */
	public static final int MIN_INTERVALS = 3;

	/**
	 * Creates settings.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public LeaseSettings {
		require(reportInterval.compareTo(Duration.ZERO) > 0, "reportInterval", reportInterval, "positive");
		require(window.compareTo(reportInterval.multipliedBy(MIN_INTERVALS)) >= 0, "window", window,
				"at least three times reportInterval");
		require(!maxDrift.isNegative(), "maxDrift", maxDrift, "zero or longer");
	}

	/**
	 * Returns the settings for a fixed worker ID whose lease record is a file on this
	 * machine. A process that was killed can restart without a pause, but then uses only
	 * timestamps after its old horizon. The window is short, so that these timestamps are
	 * not far ahead of the clock.
	 * @param name the name under which the application issues IDs
	 * @param host the label of this process
	 * @param maxDrift how far the clock may lie behind the timestamps that were used
	 * before a restart
	 * @return the settings
	 */
	public static LeaseSettings ofFile(String name, String host, Duration maxDrift) {
		Duration interval = Duration.ofSeconds(1);
		// A killed process may leave a horizon up to one window in the future. That is
		// not clock drift, so the window is added to the allowed drift.
		return new LeaseSettings(name, host, interval, Reservation.LENGTH, maxDrift.plus(Reservation.LENGTH));
	}

	private static void require(boolean valid, String name, Object value, String range) {
		if (!valid) {
			throw new IllegalArgumentException("'%s' must be %s: %s".formatted(name, range, value));
		}
	}

}
