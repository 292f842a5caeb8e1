// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;

/**
 * The thresholds at which the level of the health becomes {@code WARNING}.
 *
 * @param lowBuffer warn if fetching fails and the numbers left are fewer than this
 * fraction (from 0 to 1) of a step
 * @param lowHorizon warn if renewals fail and the time until the lease ends is less than
 * this fraction (from 0 to 1) of the lease window, which is how long a lease lasts after
 * a renewal
 * @param maxDrift warn if the wall clock and the generator's clock differ by more than
 * this duration
 * @param layoutWarning warn if the layout runs out of timestamps within this time
 */
public record HealthThresholds(double lowBuffer, double lowHorizon, Duration maxDrift, Duration layoutWarning) {

}
