// SPDX-License-Identifier: Apache-2.0

/**
 * Connects Hibernate's identifier generation to the {@link io.leaf.IdGenerator
 * IdGenerator} bean.
 */
@NullMarked
package io.leaf.hibernate;

import org.jspecify.annotations.NullMarked;
