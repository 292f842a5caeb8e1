// SPDX-License-Identifier: Apache-2.0

/**
 * The cost of formatting and parsing IDs as text.
 */
@NullMarked
package io.leaf.benchmarks.text;

import org.jspecify.annotations.NullMarked;
