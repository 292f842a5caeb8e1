// SPDX-License-Identifier: Apache-2.0

/**
 * The code that is specific to Spring Boot 3: the health, whose types Spring Boot 4 has
 * moved.
 */
@NullMarked
package io.leaf.autoconfigure.boot3;

import org.jspecify.annotations.NullMarked;
