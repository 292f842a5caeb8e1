// SPDX-License-Identifier: Apache-2.0

/**
 * Snowflake mode: the generator, the layout of IDs, the clock, and the lanes that issue
 * IDs.
 * <p>
 * The generator, its layout and the decoded ID are API. The clock, the lanes and the
 * settings are internal: they are public only for the other packages of the library, and
 * may change in any release.
 */
@NullMarked
package io.leaf.snowflake;

import org.jspecify.annotations.NullMarked;
