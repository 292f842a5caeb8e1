// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.jspecify.annotations.Nullable;

/**
 * The settings of one key.
 *
 * @param startFrom the first number of the key if the library adds its row, at least 1
 * @param ordering the order in which the key's IDs are issued. If {@code null}, a key
 * with periods has {@link Ordering#GLOBAL}, and any other key has the ordering that is
 * set for all keys
 * @param period the periods in which the key's numbers begin at 1 again, or {@code null}
 * if the key has none
 */
public record KeySettings(long startFrom, @Nullable Ordering ordering, @Nullable KeyPeriod period) {

	/**
	 * The settings of a key for which nothing is set.
	 */
	public static final KeySettings DEFAULT = new KeySettings(1, null, null);

	/**
	 * Creates the settings of a key.
	 * @throws IllegalArgumentException if a key with periods has striped order: its
	 * threads would keep numbers of a period that may have ended
	 */
	public KeySettings {
		if (period != null && ordering == Ordering.STRIPED) {
			throw new IllegalArgumentException(
					"A key with periods cannot have the ordering STRIPED. Use STRICT or GLOBAL");
		}
	}

}
