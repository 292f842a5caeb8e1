// SPDX-License-Identifier: Apache-2.0

/**
 * The cost of allocating numbers from a database that many processes share.
 */
@NullMarked
package io.leaf.benchmarks.allocation;

import org.jspecify.annotations.NullMarked;
