// SPDX-License-Identifier: Apache-2.0

/**
 * An ID generator for tests that does not require Spring.
 */
@NullMarked
package io.leaf.test;

import org.jspecify.annotations.NullMarked;
