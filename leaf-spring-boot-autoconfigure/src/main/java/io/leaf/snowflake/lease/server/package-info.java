// SPDX-License-Identifier: Apache-2.0

/**
 * The store that keeps the lease records on Leaf servers, in one class. The code that it
 * shares with the segment store on Leaf servers is in {@code io.leaf.http}. Internal.
 */
@NullMarked
package io.leaf.snowflake.lease.server;

import org.jspecify.annotations.NullMarked;
