// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of {@code @LeafId} for the persistence libraries that do not
 * discover it themselves: Spring Data JDBC and R2DBC, MyBatis, MyBatis-Plus.
 */
@NullMarked
package io.leaf.autoconfigure.persistence;

import org.jspecify.annotations.NullMarked;
