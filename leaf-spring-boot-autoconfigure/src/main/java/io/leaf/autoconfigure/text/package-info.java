// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of {@link io.leaf.text.LeafText @LeafText} for JSON and for Spring
 * MVC and WebFlux.
 */
@NullMarked
package io.leaf.autoconfigure.text;

import org.jspecify.annotations.NullMarked;
