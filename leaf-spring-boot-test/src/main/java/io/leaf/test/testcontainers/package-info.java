// SPDX-License-Identifier: Apache-2.0

/**
 * Connection details for containers that run in tests.
 */
@NullMarked
package io.leaf.test.testcontainers;

import org.jspecify.annotations.NullMarked;
