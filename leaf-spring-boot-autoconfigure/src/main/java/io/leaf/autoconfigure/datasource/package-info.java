// SPDX-License-Identifier: Apache-2.0

/**
 * Leaf's own connections to the database, derived from those of the application, and the
 * scripts that create its tables. Internal, except for
 * {@link io.leaf.autoconfigure.datasource.LeafDataSource @LeafDataSource}.
 */
@NullMarked
package io.leaf.autoconfigure.datasource;

import org.jspecify.annotations.NullMarked;
