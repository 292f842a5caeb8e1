// SPDX-License-Identifier: Apache-2.0

/**
 * The cost of many keys.
 */
@NullMarked
package io.leaf.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
