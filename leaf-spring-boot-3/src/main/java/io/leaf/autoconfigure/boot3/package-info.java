// SPDX-License-Identifier: Apache-2.0

/**
 * The health contributor for Spring Boot 3, which is separate because the health types
 * are in another package in Spring Boot 4.
 */
@NullMarked
package io.leaf.autoconfigure.boot3;

import org.jspecify.annotations.NullMarked;
