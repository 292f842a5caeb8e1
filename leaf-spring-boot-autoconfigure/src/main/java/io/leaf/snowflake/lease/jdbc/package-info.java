// SPDX-License-Identifier: Apache-2.0

/**
 * The lease store in the table {@code leaf_worker}, on spring-jdbc. It is one class for
 * all databases, because its statements differ only in the expression for the time.
 * Internal: the types are public only for the other packages of the library, and may
 * change in any release.
 */
@NullMarked
package io.leaf.snowflake.lease.jdbc;

import org.jspecify.annotations.NullMarked;
