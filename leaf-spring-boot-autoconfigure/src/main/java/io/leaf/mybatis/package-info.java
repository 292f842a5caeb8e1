// SPDX-License-Identifier: Apache-2.0

/**
 * Sets the properties that are marked with {@code @LeafId} in MyBatis and MyBatis-Plus.
 * Internal: the types are public only for the other packages of the library, and may
 * change in any release.
 */
@NullMarked
package io.leaf.mybatis;

import org.jspecify.annotations.NullMarked;
