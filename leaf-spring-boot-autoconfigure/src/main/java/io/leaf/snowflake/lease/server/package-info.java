// SPDX-License-Identifier: Apache-2.0

/**
 * The store that keeps the lease records on Leaf servers. Internal.
 */
@NullMarked
package io.leaf.snowflake.lease.server;

import org.jspecify.annotations.NullMarked;
