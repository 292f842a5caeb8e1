// SPDX-License-Identifier: Apache-2.0

/**
 * The performance of an application that inserts orders by JPA, with IDs from different
 * sources.
 */
@NullMarked
package io.leaf.benchmarks.orders;

import org.jspecify.annotations.NullMarked;
