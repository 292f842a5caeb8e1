// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;

/**
 * The thresholds at which the level of the health becomes {@code WARNING}.
 *
 * @param lowBuffer warn if fetching fails and the numbers left are fewer than this
 * fraction of a step, from 0 to 1
 * @param lowHorizon warn if renewals fail and the time left is less than this fraction of
 * the lease window, from 0 to 1
 * @param maxDrift warn if the wall clock and the generator's clock differ by more than
 * this duration
 * @param layoutWarning warn if the layout runs out within this time
 */
public record HealthThresholds(double lowBuffer, double lowHorizon, Duration maxDrift, Duration layoutWarning) {

}
