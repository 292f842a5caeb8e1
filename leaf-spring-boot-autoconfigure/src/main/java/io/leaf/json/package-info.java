// SPDX-License-Identifier: Apache-2.0

/**
 * The annotation for IDs that are read by JavaScript. It has its own package so that
 * {@code io.leaf} does not depend on Jackson.
 */
@NullMarked
package io.leaf.json;

import org.jspecify.annotations.NullMarked;
