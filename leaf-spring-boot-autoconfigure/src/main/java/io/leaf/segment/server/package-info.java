// SPDX-License-Identifier: Apache-2.0

/**
 * The store that takes segments from Leaf servers, in one class. The HTTP client, which
 * the store of the leases uses as well, is in {@code io.leaf.http}. Internal.
 */
@NullMarked
package io.leaf.segment.server;

import org.jspecify.annotations.NullMarked;
