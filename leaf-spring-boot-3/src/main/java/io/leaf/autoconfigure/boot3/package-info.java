// SPDX-License-Identifier: Apache-2.0

/**
 * What is written for Spring Boot 3 apart.
 */
@NullMarked
package io.leaf.autoconfigure.boot3;

import org.jspecify.annotations.NullMarked;
