// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of snowflake mode and of the stores that lease its worker IDs.
 * Internal, except for the auto-configuration and
 * {@link io.leaf.autoconfigure.snowflake.LeafZooKeeperConnectionDetails
 * LeafZooKeeperConnectionDetails}.
 */
@NullMarked
package io.leaf.autoconfigure.snowflake;

import org.jspecify.annotations.NullMarked;
