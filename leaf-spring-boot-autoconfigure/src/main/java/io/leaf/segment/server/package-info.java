// SPDX-License-Identifier: Apache-2.0

/**
 * The store that takes segments from Leaf servers. The HTTP client is in
 * {@code io.leaf.http}, because the store of the leases also uses the client. Internal:
 * the types are public only for the other packages of the library, and may change in any
 * release.
 */
@NullMarked
package io.leaf.segment.server;

import org.jspecify.annotations.NullMarked;
