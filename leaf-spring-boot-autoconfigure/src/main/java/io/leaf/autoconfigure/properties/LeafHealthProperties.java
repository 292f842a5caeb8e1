// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;

import io.leaf.actuate.HealthThresholds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Thresholds of the health.
 *
 * @param lowBuffer Warn if fetches of a key fail and the numbers left are fewer than this
 * fraction, from 0 to 1, of the step that the process currently uses for the key.
 * @param lowHorizon Warn if renewals fail and the time left until the lease ends is less
 * than this fraction, from 0 to 1, of leaf.snowflake.lease-window.
 * @param layoutWarning Warn if the timestamps of the layout run out within this time,
 * from 1 day to 3650 days.
 */
@ConfigurationProperties("leaf.health")
public record LeafHealthProperties(@DefaultValue("0.5") double lowBuffer, @DefaultValue("0.5") double lowHorizon,
		@DefaultValue("365d") Duration layoutWarning) {

	public HealthThresholds thresholds(Duration maxDrift) {
		PropertyRanges ranges = new PropertyRanges("leaf.health");
		ranges.requireBetween("low-buffer", this.lowBuffer, 0.0, 1.0);
		ranges.requireBetween("low-horizon", this.lowHorizon, 0.0, 1.0);
		ranges.requireBetween("layout-warning", this.layoutWarning, Duration.ofDays(1), Duration.ofDays(3650));
		return new HealthThresholds(this.lowBuffer, this.lowHorizon, maxDrift, this.layoutWarning);
	}

}
