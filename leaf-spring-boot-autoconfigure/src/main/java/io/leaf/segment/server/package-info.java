// SPDX-License-Identifier: Apache-2.0

/**
 * The store that takes segments from Leaf servers, in one class: what it shares with the
 * leases is in {@code io.leaf.http}. Internal.
 */
@NullMarked
package io.leaf.segment.server;

import org.jspecify.annotations.NullMarked;
