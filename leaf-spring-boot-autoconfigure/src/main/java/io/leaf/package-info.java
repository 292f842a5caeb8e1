// SPDX-License-Identifier: Apache-2.0

/**
 * The public API of segment mode and snowflake mode: the types that an application
 * injects, calls, uses as annotations and catches. This package depends on no framework,
 * except that {@link io.leaf.LeafId @LeafId} refers to the generators for Hibernate.
 */
@NullMarked
package io.leaf;

import org.jspecify.annotations.NullMarked;
