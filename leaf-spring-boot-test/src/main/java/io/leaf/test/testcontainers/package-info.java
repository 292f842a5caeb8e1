// SPDX-License-Identifier: Apache-2.0

/**
 * Connection details of containers.
 */
@NullMarked
package io.leaf.test.testcontainers;

import org.jspecify.annotations.NullMarked;
