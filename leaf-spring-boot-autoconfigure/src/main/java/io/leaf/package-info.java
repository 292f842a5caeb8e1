// SPDX-License-Identifier: Apache-2.0

/**
 * The public API: what an application injects, calls, annotates with and catches. Knows
 * no Spring, no JDBC and no ZooKeeper.
 */
@NullMarked
package io.leaf;

import org.jspecify.annotations.NullMarked;
