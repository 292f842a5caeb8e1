// SPDX-License-Identifier: Apache-2.0

/**
 * Snowflake mode: the generator, the layout of IDs, the clock and the lanes that issue
 * them.
 * <p>
 * The generator, its layout and the decoded ID are API. Clock, lanes and settings are
 * internal: public only because the lease protocol uses them.
 */
@NullMarked
package io.leaf.snowflake;

import org.jspecify.annotations.NullMarked;
