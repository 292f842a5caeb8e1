// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.time.Duration;

import io.leaf.actuate.HealthThresholds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * From where on the health warns.
 *
 * @param lowBuffer Part of a step below which too few IDs are left while fetches fail,
 * from 0 to 1.
 * @param lowHorizon Part of leaf.snowflake.lease-window below which too little of a lease
 * is left while renewals fail, from 0 to 1.
 * @param layoutWarning How long before a layout runs out to warn, from 1 day to 3650
 * days.
 */
@ConfigurationProperties("leaf.health")
public record LeafHealthProperties(@DefaultValue("0.5") double lowBuffer, @DefaultValue("0.5") double lowHorizon,
		@DefaultValue("365d") Duration layoutWarning) {

	HealthThresholds thresholds(Duration maxDrift) {
		PropertyRanges ranges = new PropertyRanges("leaf.health");
		ranges.requireBetween("low-buffer", this.lowBuffer, 0.0, 1.0);
		ranges.requireBetween("low-horizon", this.lowHorizon, 0.0, 1.0);
		ranges.requireBetween("layout-warning", this.layoutWarning, Duration.ofDays(1), Duration.ofDays(3650));
		return new HealthThresholds(this.lowBuffer, this.lowHorizon, maxDrift, this.layoutWarning);
	}

}
