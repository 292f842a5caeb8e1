// SPDX-License-Identifier: Apache-2.0

/**
 * Argument checks, the types of IDs, the threads of the library, the texts of durations
 * and failures in messages, and the code that makes new keys begin above existing IDs.
 * Internal: the types are public only for the other packages of the library, and may
 * change in any release.
 */
@NullMarked
package io.leaf.support;

import org.jspecify.annotations.NullMarked;
