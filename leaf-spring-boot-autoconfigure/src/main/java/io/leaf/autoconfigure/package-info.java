// SPDX-License-Identifier: Apache-2.0

/**
 * Auto-configuration of the primary {@code IdGenerator}, which routes each key to its
 * mode, and the failure analysis if there is no generator. Internal, except for the
 * auto-configuration.
 */
@NullMarked
package io.leaf.autoconfigure;

import org.jspecify.annotations.NullMarked;
