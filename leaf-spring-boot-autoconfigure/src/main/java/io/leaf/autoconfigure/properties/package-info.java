// SPDX-License-Identifier: Apache-2.0

/**
 * The properties below {@code leaf} with their defaults and ranges, and the failure
 * analyzers for invalid values and for exceptions of this library. Internal: the types
 * are public only for the other packages of the library, and may change in any release.
 */
@NullMarked
package io.leaf.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
