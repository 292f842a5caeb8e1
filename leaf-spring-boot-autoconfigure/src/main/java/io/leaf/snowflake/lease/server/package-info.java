// SPDX-License-Identifier: Apache-2.0

/**
 * The lease store that keeps the lease records on Leaf servers. The HTTP client is in
 * {@code io.leaf.http}, because the store that takes segments from Leaf servers also uses
 * the client. Internal: the types are public only for the other packages of the library,
 * and may change in any release.
 */
@NullMarked
package io.leaf.snowflake.lease.server;

import org.jspecify.annotations.NullMarked;
