// SPDX-License-Identifier: Apache-2.0

/**
 * The lease store that keeps the lease records in ZooKeeper, in the tree that servers of
 * Meituan's Leaf also use. Internal: the types are public only for the other packages of
 * the library, and may change in any release.
 */
@NullMarked
package io.leaf.snowflake.lease.zookeeper;

import org.jspecify.annotations.NullMarked;
