// SPDX-License-Identifier: Apache-2.0

/**
 * What the library adds to the start of an application.
 */
@NullMarked
package io.leaf.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
