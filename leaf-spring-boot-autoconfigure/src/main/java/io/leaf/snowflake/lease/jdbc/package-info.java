// SPDX-License-Identifier: Apache-2.0

/**
 * The lease store that accesses the table {@code leaf_worker} through spring-jdbc. One
 * class supports all databases, because the statements for the databases differ only in
 * the expression for the time. Internal: the types are public only for the other packages
 * of the library, and may change in any release.
 */
@NullMarked
package io.leaf.snowflake.lease.jdbc;

import org.jspecify.annotations.NullMarked;
