// SPDX-License-Identifier: Apache-2.0

/**
 * The lease store in the table {@code leaf_worker}, on spring-jdbc. One class: its
 * statements differ between databases only in the expression for the time. Internal:
 * public for the other packages of the library, and may change in any release.
 */
@NullMarked
package io.leaf.snowflake.lease.jdbc;

import org.jspecify.annotations.NullMarked;
