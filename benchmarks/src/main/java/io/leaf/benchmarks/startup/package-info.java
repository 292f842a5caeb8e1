// SPDX-License-Identifier: Apache-2.0

/**
 * The startup time that the library adds to an application.
 */
@NullMarked
package io.leaf.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
