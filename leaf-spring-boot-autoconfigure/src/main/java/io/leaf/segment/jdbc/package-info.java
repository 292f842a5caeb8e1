// SPDX-License-Identifier: Apache-2.0

/**
 * The segment store that accesses the table {@code leaf_alloc} through spring-jdbc.
 * Internal: the types are public only for the other packages of the library, and may
 * change in any release.
 */
@NullMarked
package io.leaf.segment.jdbc;

import org.jspecify.annotations.NullMarked;
