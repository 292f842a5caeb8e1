// SPDX-License-Identifier: Apache-2.0

/**
 * What it takes to get numbers from a database that many processes share.
 */
@NullMarked
package io.leaf.benchmarks.allocation;

import org.jspecify.annotations.NullMarked;
