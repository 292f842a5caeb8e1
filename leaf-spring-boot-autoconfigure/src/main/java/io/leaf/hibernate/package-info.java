// SPDX-License-Identifier: Apache-2.0

/**
 * Identifier generation in Hibernate for {@code @LeafId}, with the {@code IdGenerator}
 * bean.
 */
@NullMarked
package io.leaf.hibernate;

import org.jspecify.annotations.NullMarked;
