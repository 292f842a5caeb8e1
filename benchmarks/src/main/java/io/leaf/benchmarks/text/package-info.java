// SPDX-License-Identifier: Apache-2.0

/**
 * IDs as text.
 */
@NullMarked
package io.leaf.benchmarks.text;

import org.jspecify.annotations.NullMarked;
