// SPDX-License-Identifier: Apache-2.0

/**
 * The ID generator for tests in the place of an application's.
 */
@NullMarked
package io.leaf.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
