// SPDX-License-Identifier: Apache-2.0

/**
 * What an application sees: orders inserted by JPA with IDs from different sources.
 */
@NullMarked
package io.leaf.benchmarks.orders;

import org.jspecify.annotations.NullMarked;
