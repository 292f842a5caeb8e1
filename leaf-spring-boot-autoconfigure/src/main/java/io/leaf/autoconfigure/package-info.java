// SPDX-License-Identifier: Apache-2.0

/**
 * Spring Boot auto-configuration: properties, wiring, and what is said when a start
 * fails.
 */
@NullMarked
package io.leaf.autoconfigure;

import org.jspecify.annotations.NullMarked;
