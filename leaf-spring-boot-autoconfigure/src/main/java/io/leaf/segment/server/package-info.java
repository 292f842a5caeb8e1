// SPDX-License-Identifier: Apache-2.0

/**
 * The store that takes segments from Leaf servers. Internal.
 */
@NullMarked
package io.leaf.segment.server;

import org.jspecify.annotations.NullMarked;
