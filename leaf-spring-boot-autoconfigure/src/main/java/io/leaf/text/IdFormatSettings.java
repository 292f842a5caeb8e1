// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.leaf.support.IdArguments;

/**
 * The settings of a format that depend on the key of the format.
 *
 * @param key the key. The masked form of a number differs between keys, even with the
 * same secret
 * @param digits how many decimal digits at the end of an ID are the number within a
 * period, or 0 if the IDs have no period. The digits before the number are the period,
 * for example a date
 * @param secrets the secrets that mask numbers. The first secret masks new texts. The
 * other secrets only unmask texts that were created with them
 */
public record IdFormatSettings(String key, int digits, List<IdSecret> secrets) {

	/**
	 * The largest number of digits for the number within a period. One of the 19 digits
	 * of a {@code long} is left for the period.
	 */
	private static final int MAX_DIGITS = 18;

	/**
	 * Creates settings.
	 * @throws IllegalArgumentException if the number of digits is not from 0 to 18, or if
	 * two secrets have the same ID
	 * @throws io.leaf.InvalidRequestException if the key is null, empty or too long
	 */
	public IdFormatSettings {
		IdArguments.checkKey(key);
		if (digits < 0 || digits > MAX_DIGITS) {
			throw new IllegalArgumentException("digits must be from 0 to %d: was %d".formatted(MAX_DIGITS, digits));
		}
		secrets = List.copyOf(secrets);
		Set<Character> ids = new HashSet<>();
		for (IdSecret secret : secrets) {
			if (!ids.add(secret.id())) {
				throw new IllegalArgumentException(
						"Secrets must have different IDs, because the ID in a masked text shows which secret unmasks the text, but two secrets have the ID %s"
							.formatted(secret.id()));
			}
		}
	}

	/**
	 * Creates settings without a period and without secrets.
	 * @param key the key
	 */
	public IdFormatSettings(String key) {
		this(key, 0, List.of());
	}

	/**
	 * Returns the number by which the period is multiplied in an ID, which is ten to the
	 * power of {@code digits}.
	 */
	long scale() {
		long scale = 1;
		for (int i = 0; i < this.digits; i++) {
			scale *= 10;
		}
		return scale;
	}

}
