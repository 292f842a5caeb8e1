// SPDX-License-Identifier: Apache-2.0

/**
 * How IDs are written as JSON.
 */
@NullMarked
package io.leaf.json;

import org.jspecify.annotations.NullMarked;
