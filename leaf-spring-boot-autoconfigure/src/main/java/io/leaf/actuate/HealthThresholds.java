// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;

/**
 * The thresholds below or above which the health is a warning.
 *
 * @param lowBuffer warn if fetching fails and less than this fraction of a step is left,
 * 0 to 1
 * @param lowHorizon warn if renewals fail and less than this fraction of the lease window
 * is left, 0 to 1
 * @param maxDrift warn if the clocks differ by more than this
 * @param layoutWarning how long before the layout runs out to warn
 */
public record HealthThresholds(double lowBuffer, double lowHorizon, Duration maxDrift, Duration layoutWarning) {

}
