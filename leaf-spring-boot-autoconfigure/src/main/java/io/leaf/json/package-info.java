// SPDX-License-Identifier: Apache-2.0

/**
 * IDs in JSON: as strings of digits, for JavaScript, and as the texts of their keys. It
 * is a package of its own so that {@code io.leaf} and {@code io.leaf.text} do not depend
 * on Jackson.
 */
@NullMarked
package io.leaf.json;

import org.jspecify.annotations.NullMarked;
