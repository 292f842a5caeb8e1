// SPDX-License-Identifier: Apache-2.0

/**
 * Writes and reads IDs in JSON, either as strings of digits, for JavaScript, or as texts
 * in the formats of their keys. This package is separate so that {@code io.leaf} and
 * {@code io.leaf.text} do not depend on Jackson.
 */
@NullMarked
package io.leaf.json;

import org.jspecify.annotations.NullMarked;
