// SPDX-License-Identifier: Apache-2.0

/**
 * The lease protocol: how processes claim, renew and release the right to use a worker
 * ID.
 * <p>
 * {@link io.leaf.snowflake.lease.WorkerLeaseStore WorkerLeaseStore} and the types in its
 * signatures are API. All other types are internal.
 */
@NullMarked
package io.leaf.snowflake.lease;

import org.jspecify.annotations.NullMarked;
