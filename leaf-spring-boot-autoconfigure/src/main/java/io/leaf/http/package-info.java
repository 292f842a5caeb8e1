// SPDX-License-Identifier: Apache-2.0

/**
 * The HTTP client for Leaf servers, which the stores of both modes share. Internal.
 */
@NullMarked
package io.leaf.http;

import org.jspecify.annotations.NullMarked;
