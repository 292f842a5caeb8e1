// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of the endpoint, the health, the meters and the observations.
 */
@NullMarked
package io.leaf.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
