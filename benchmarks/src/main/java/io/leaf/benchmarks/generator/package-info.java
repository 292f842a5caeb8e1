// SPDX-License-Identifier: Apache-2.0

/**
 * How fast this library, its peers and their upper limits issue IDs: throughput with JMH,
 * the sustained rate of snowflake IDs, and the latency of single calls.
 */
@NullMarked
package io.leaf.benchmarks.generator;

import org.jspecify.annotations.NullMarked;
