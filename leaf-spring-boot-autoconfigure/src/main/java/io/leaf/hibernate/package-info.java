// SPDX-License-Identifier: Apache-2.0

/**
 * Generates the values of attributes with {@code @LeafId} in Hibernate, using the {@code
 * IdGenerator} bean.
 */
@NullMarked
package io.leaf.hibernate;

import org.jspecify.annotations.NullMarked;
