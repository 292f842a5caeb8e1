// SPDX-License-Identifier: Apache-2.0

/**
 * Leases on the local disk: what one process remembers of its claim, and a worker ID that
 * is set by hand.
 */
@NullMarked
package io.leaf.snowflake.lease.file;

import org.jspecify.annotations.NullMarked;
