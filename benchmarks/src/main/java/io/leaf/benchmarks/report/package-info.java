// SPDX-License-Identifier: Apache-2.0

/**
 * What runs the benchmarks and writes down what they say.
 */
@NullMarked
package io.leaf.benchmarks.report;

import org.jspecify.annotations.NullMarked;
