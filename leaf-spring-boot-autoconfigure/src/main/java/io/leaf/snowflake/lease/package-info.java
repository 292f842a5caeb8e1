// SPDX-License-Identifier: Apache-2.0

/**
 * The right to use a worker ID: the protocol by which processes claim, renew and release
 * it, and what it needs of a store.
 */
@NullMarked
package io.leaf.snowflake.lease;

import org.jspecify.annotations.NullMarked;
