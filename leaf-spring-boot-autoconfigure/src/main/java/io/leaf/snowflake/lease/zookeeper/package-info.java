// SPDX-License-Identifier: Apache-2.0

/**
 * The store of leases in ZooKeeper, in the tree of Meituan's Leaf and beside its servers.
 */
@NullMarked
package io.leaf.snowflake.lease.zookeeper;

import org.jspecify.annotations.NullMarked;
