// SPDX-License-Identifier: Apache-2.0

/**
 * The code that is specific to Spring Boot 3: the health contributor. Spring Boot 4 has
 * moved the health types to another package.
 */
@NullMarked
package io.leaf.autoconfigure.boot3;

import org.jspecify.annotations.NullMarked;
