// SPDX-License-Identifier: Apache-2.0

/**
 * Runs the benchmarks and prints their tables.
 */
@NullMarked
package io.leaf.benchmarks.report;

import org.jspecify.annotations.NullMarked;
