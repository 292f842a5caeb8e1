// SPDX-License-Identifier: Apache-2.0

/**
 * What many keys cost.
 */
@NullMarked
package io.leaf.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
