// SPDX-License-Identifier: Apache-2.0

/**
 * JMH benchmarks of the library, its peers, and what no generator can pass.
 */
@NullMarked
package io.leaf.benchmarks;

import org.jspecify.annotations.NullMarked;
