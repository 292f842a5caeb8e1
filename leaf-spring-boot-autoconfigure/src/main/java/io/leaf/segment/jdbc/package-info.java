// SPDX-License-Identifier: Apache-2.0

/**
 * The store of segments in the table {@code leaf_alloc}, on spring-jdbc.
 */
@NullMarked
package io.leaf.segment.jdbc;

import org.jspecify.annotations.NullMarked;
