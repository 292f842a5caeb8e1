// SPDX-License-Identifier: Apache-2.0

/**
 * An ID generator for tests, which needs no Spring.
 */
@NullMarked
package io.leaf.test;

import org.jspecify.annotations.NullMarked;
