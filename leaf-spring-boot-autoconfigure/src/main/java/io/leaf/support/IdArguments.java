// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import io.leaf.IdGenerator;
import io.leaf.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of a request. The limits are the same for every
 * {@link IdGenerator}.
 */
public final class IdArguments {

	/**
	 * The largest number of characters of a key, which is the width of the column {@code
	 * biz_tag} in every published version of the table {@code leaf_alloc}.
	 */
	public static final int MAX_KEY_LENGTH = 128;

	private IdArguments() {
	}

	/**
	 * Checks that a key is valid.
	 * @param key the key
	 * @return the key
	 * @throws InvalidRequestException if the key is null, empty or longer than
	 * {@value #MAX_KEY_LENGTH} characters
	 */
	public static String checkKey(@Nullable String key) {
		if (key == null) {
			throw new InvalidRequestException("A key must have 1 to %d characters: was null".formatted(MAX_KEY_LENGTH));
		}
		if (!isKey(key)) {
			throw new InvalidRequestException("A key must have 1 to %d characters: '%s' has %d"
				.formatted(MAX_KEY_LENGTH, abbreviate(key), key.length()));
		}
		return key;
	}

	/**
	 * Returns whether a text is a valid key.
	 * @param key the text
	 * @return whether it has 1 to {@value #MAX_KEY_LENGTH} characters
	 */
	public static boolean isKey(@Nullable String key) {
		return key != null && !key.isEmpty() && key.length() <= MAX_KEY_LENGTH;
	}

	/**
	 * Checks that a count is valid.
	 * @param count the number of IDs requested
	 * @throws InvalidRequestException if the count is not from 1 to
	 * {@value IdGenerator#MAX_COUNT}
	 */
	public static void checkCount(int count) {
		if (count < 1 || count > IdGenerator.MAX_COUNT) {
			throw new InvalidRequestException(
					"A count must be from 1 to %d: was %d".formatted(IdGenerator.MAX_COUNT, count));
		}
	}

	private static String abbreviate(String key) {
		return (key.length() <= 40) ? key : key.substring(0, 40) + "…";
	}

}
