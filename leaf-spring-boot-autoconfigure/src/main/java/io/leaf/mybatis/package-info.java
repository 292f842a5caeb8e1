// SPDX-License-Identifier: Apache-2.0

/**
 * Connects the inserts of MyBatis and MyBatis-Plus to the {@link io.leaf.IdGenerator
 * IdGenerator}.
 */
@NullMarked
package io.leaf.mybatis;

import org.jspecify.annotations.NullMarked;
