// SPDX-License-Identifier: Apache-2.0

/**
 * The HTTP client of Leaf servers, which the stores on a server share. Internal.
 */
@NullMarked
package io.leaf.http;

import org.jspecify.annotations.NullMarked;
