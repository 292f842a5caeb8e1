// SPDX-License-Identifier: Apache-2.0

/**
 * The public API: the types that an application injects, calls, annotates with and
 * catches. It depends on no framework.
 */
@NullMarked
package io.leaf;

import org.jspecify.annotations.NullMarked;
