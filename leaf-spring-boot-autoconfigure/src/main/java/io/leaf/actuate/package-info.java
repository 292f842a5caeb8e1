// SPDX-License-Identifier: Apache-2.0

/**
 * What Spring Boot's Actuator shows of Leaf.
 */
@NullMarked
package io.leaf.actuate;

import org.jspecify.annotations.NullMarked;
