// SPDX-License-Identifier: Apache-2.0

/**
 * The endpoint {@code /actuator/leaf}, the health, the meters and the observations.
 * <p>
 * {@link LeafEndpoint} with its reports, {@link LeafHealth}, {@link HealthReport} and
 * {@link HealthThresholds} are API. The rest is internal.
 */
@NullMarked
package io.leaf.actuate;

import org.jspecify.annotations.NullMarked;
