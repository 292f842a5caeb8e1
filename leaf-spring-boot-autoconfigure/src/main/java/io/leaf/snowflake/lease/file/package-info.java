// SPDX-License-Identifier: Apache-2.0

/**
 * Keeps state on the local disk: the saved lease of a process, and the lease record of a
 * worker ID that is configured manually. Internal: the types are public only for the
 * other packages of the library, and may change in any release.
 */
@NullMarked
package io.leaf.snowflake.lease.file;

import org.jspecify.annotations.NullMarked;
