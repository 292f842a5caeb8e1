// SPDX-License-Identifier: Apache-2.0

/**
 * Leaf's own database connections, the translation of their failures, and table names.
 * Internal: the types are public only for the other packages of the library, and may
 * change in any release.
 */
@NullMarked
package io.leaf.jdbc;

import org.jspecify.annotations.NullMarked;
