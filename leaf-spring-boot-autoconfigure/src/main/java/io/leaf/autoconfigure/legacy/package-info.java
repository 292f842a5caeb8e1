// SPDX-License-Identifier: Apache-2.0

/**
 * The property names and the file {@code leaf.properties} of Meituan's Leaf. Both still
 * work; the new names are logged. Internal.
 */
@NullMarked
package io.leaf.autoconfigure.legacy;

import org.jspecify.annotations.NullMarked;
