// SPDX-License-Identifier: Apache-2.0

/**
 * Creates Leaf's own connections to the database, which are derived from those of the
 * application, and runs the scripts that create Leaf's tables. Internal, except for
 * {@link io.leaf.autoconfigure.datasource.LeafDataSource @LeafDataSource}.
 */
@NullMarked
package io.leaf.autoconfigure.datasource;

import org.jspecify.annotations.NullMarked;
