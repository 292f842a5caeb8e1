// SPDX-License-Identifier: Apache-2.0

/**
 * The endpoint {@code /actuator/leaf}, the health contributor, the meters and the
 * observations.
 * <p>
 * The endpoint, its reports, the health contributor and its thresholds are API. The rest
 * is internal.
 */
@NullMarked
package io.leaf.actuate;

import org.jspecify.annotations.NullMarked;
