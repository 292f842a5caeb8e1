// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.jspecify.annotations.Nullable;

/**
 * The settings of one key.
 *
 * @param startFrom the number at which the row that is added for the key begins, at least
 * 1
 * @param ordering the order in which its IDs are issued; {@code null} for the default,
 * which is {@link Ordering#GLOBAL} if the key has periods, and otherwise that of all keys
 * @param period the periods in which its numbers begin at 1 again, or {@code null} if it
 * has none
 */
public record KeySettings(long startFrom, @Nullable Ordering ordering, @Nullable KeyPeriod period) {

	/**
	 * The settings of a key for which nothing is set.
	 */
	public static final KeySettings DEFAULT = new KeySettings(1, null, null);

	/**
	 * Creates the settings of a key.
	 * @throws IllegalArgumentException if a key with periods has striped order, whose
	 * threads keep numbers that belong to a period which may have ended
	 */
	public KeySettings {
		if (period != null && ordering == Ordering.STRIPED) {
			throw new IllegalArgumentException("A key with periods cannot have striped order");
		}
	}

}
