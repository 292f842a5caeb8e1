// SPDX-License-Identifier: Apache-2.0

/**
 * What several packages of the library share. Internal: not part of the API, and may
 * change in any release.
 */
@NullMarked
package io.leaf.support;

import org.jspecify.annotations.NullMarked;
