// SPDX-License-Identifier: Apache-2.0

/**
 * JMH benchmarks of this library and of the upper limits it is compared with, and the
 * check of the IDs that they draw.
 */
@NullMarked
package io.leaf.benchmarks;

import org.jspecify.annotations.NullMarked;
