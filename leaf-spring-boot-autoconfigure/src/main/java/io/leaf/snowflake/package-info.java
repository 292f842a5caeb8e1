// SPDX-License-Identifier: Apache-2.0

/**
 * Snowflake IDs: time, worker ID and sequence in one number.
 */
@NullMarked
package io.leaf.snowflake;

import org.jspecify.annotations.NullMarked;
