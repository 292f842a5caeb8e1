// SPDX-License-Identifier: Apache-2.0

/**
 * Connections to containers.
 */
@NullMarked
package io.leaf.test.testcontainers;

import org.jspecify.annotations.NullMarked;
