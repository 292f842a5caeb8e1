// SPDX-License-Identifier: Apache-2.0

/**
 * The HTTP client for Leaf servers. The stores of segment mode and snowflake mode share
 * this client. Internal: the types are public only for the other packages of the library,
 * and may change in any release.
 */
@NullMarked
package io.leaf.http;

import org.jspecify.annotations.NullMarked;
