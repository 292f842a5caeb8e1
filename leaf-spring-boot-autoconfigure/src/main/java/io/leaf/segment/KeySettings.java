// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.jspecify.annotations.Nullable;

/**
 * The settings of one key.
 *
 * @param startFrom the smallest number to issue, at least 1. Used only if the library
 * adds the row of the key and the key has no periods
 * @param ordering the order in which the key's IDs are issued. If {@code null}, a key
 * with periods has {@link Ordering#GLOBAL}, and any other key has the ordering that is
 * set for all keys
 * @param period the periods in which the key's numbers begin at 1 again, or {@code null}
 * if the key has no periods
 */
public record KeySettings(long startFrom, @Nullable Ordering ordering, @Nullable KeyPeriod period) {

	/**
	 * The settings of a key that has no settings of its own.
	 */
	public static final KeySettings DEFAULT = new KeySettings(1, null, null);

	/**
	 * Creates the settings of a key.
	 * @throws IllegalArgumentException if the key has both periods and striped ordering.
	 * With striped ordering, threads draw numbers ahead of use, and the period of these
	 * numbers may end before they are issued
	 */
	public KeySettings {
		if (period != null && ordering == Ordering.STRIPED) {
			throw new IllegalArgumentException(
					"A key with periods cannot have the ordering STRIPED. Use STRICT or GLOBAL");
		}
	}

}
