// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.jspecify.annotations.Nullable;

/**
 * The settings of one key.
 *
 * @param startFrom the number at which the row that is added for the key begins, at least
 * 1
 * @param ordering the order in which its IDs are issued, or {@code null} for that of all
 * keys
 */
public record KeySettings(long startFrom, @Nullable Ordering ordering) {

	/**
	 * The settings of a key for which nothing is set.
	 */
	public static final KeySettings DEFAULT = new KeySettings(1, null);

}
