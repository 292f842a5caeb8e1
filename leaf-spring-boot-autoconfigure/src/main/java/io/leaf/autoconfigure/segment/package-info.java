// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of segment mode, and the order in which the generators of both modes
 * are closed. Internal, except for the auto-configuration.
 */
@NullMarked
package io.leaf.autoconfigure.segment;

import org.jspecify.annotations.NullMarked;
