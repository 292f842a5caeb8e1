// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of the ID generator for tests.
 */
@NullMarked
package io.leaf.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
