// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;

/**
 * From where on the health warns.
 *
 * @param lowBuffer the part of a step below which too few numbers are left while fetching
 * fails, 0 to 1
 * @param lowHorizon the part of the lease window below which too little of a lease is
 * left while it is not renewed, 0 to 1
 * @param maxDrift how far the clocks may be apart
 * @param layoutWarning how long before its end a layout is near it
 */
public record HealthThresholds(double lowBuffer, double lowHorizon, Duration maxDrift, Duration layoutWarning) {

}
