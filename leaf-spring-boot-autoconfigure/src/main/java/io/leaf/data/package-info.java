// SPDX-License-Identifier: Apache-2.0

/**
 * Connects the saving of Spring Data JDBC and Spring Data R2DBC to the
 * {@link io.leaf.IdGenerator IdGenerator}.
 */
@NullMarked
package io.leaf.data;

import org.jspecify.annotations.NullMarked;
