// SPDX-License-Identifier: Apache-2.0

/**
 * Selects the {@code DataSource} for Leaf's tables, which is a pool of Leaf's own if
 * possible, and runs the script that creates the tables. Internal, except for
 * {@link io.leaf.autoconfigure.datasource.LeafDataSource @LeafDataSource}.
 */
@NullMarked
package io.leaf.autoconfigure.datasource;

import org.jspecify.annotations.NullMarked;
