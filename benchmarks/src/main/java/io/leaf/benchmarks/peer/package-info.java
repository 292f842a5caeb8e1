// SPDX-License-Identifier: Apache-2.0

/**
 * JMH benchmarks of other libraries, each with its own defaults. A benchmark that changes
 * a default says so.
 */
@NullMarked
package io.leaf.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
