// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of the Actuator endpoint, the health contributor, the meters and the
 * observations.
 */
@NullMarked
package io.leaf.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
