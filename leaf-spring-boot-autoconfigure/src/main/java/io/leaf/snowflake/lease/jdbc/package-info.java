// SPDX-License-Identifier: Apache-2.0

/**
 * The worker lease store on spring-jdbc.
 */
@NullMarked
package io.leaf.snowflake.lease.jdbc;

import org.jspecify.annotations.NullMarked;
