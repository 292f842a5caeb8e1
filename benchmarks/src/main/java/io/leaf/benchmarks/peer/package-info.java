// SPDX-License-Identifier: Apache-2.0

/**
 * The peers, each as fast as its own defaults allow. Where a setting is ours, the
 * benchmark says so.
 */
@NullMarked
package io.leaf.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
