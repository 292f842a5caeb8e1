// SPDX-License-Identifier: Apache-2.0

/**
 * The lease protocol: how processes claim, renew and release the right to use a worker
 * ID.
 * <p>
 * {@link io.leaf.snowflake.lease.WorkerLeaseStore WorkerLeaseStore}, the types in its
 * signatures and {@link io.leaf.snowflake.lease.WorkerLeaseStoreException
 * WorkerLeaseStoreException} are API. All other types are internal.
 */
@NullMarked
package io.leaf.snowflake.lease;

import org.jspecify.annotations.NullMarked;
