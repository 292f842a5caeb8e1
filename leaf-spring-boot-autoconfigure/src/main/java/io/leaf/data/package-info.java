// SPDX-License-Identifier: Apache-2.0

/**
 * Callbacks of Spring Data JDBC and Spring Data R2DBC that assign IDs to entities with
 * {@code @LeafId}. Internal: the types are public only for the other packages of the
 * library, and may change in any release.
 */
@NullMarked
package io.leaf.data;

import org.jspecify.annotations.NullMarked;
