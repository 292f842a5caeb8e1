// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.leaf.support.IdArguments;

/**
 * What a format has to know of the key whose IDs it formats.
 *
 * @param key the key. Numbers of two keys are masked differently, also with the same
 * secret
 * @param digits the number of decimal digits of an ID after its period, or 0 if the key
 * has no period
 * @param secrets the secrets of masked numbers: new texts are masked with the first one,
 * the others are former ones
 */
public record IdFormatSettings(String key, int digits, List<IdSecret> secrets) {

	/**
	 * The largest number of digits after the period, which leaves one for the period.
	 */
	private static final int MAX_DIGITS = 18;

	/**
	 * Creates settings.
	 * @throws IllegalArgumentException if the number of digits is not from 0 to 18, or if
	 * two secrets have the same ID
	 * @throws io.leaf.InvalidRequestException if the key is empty or too long
	 */
	public IdFormatSettings {
		IdArguments.checkKey(key);
		if (digits < 0 || digits > MAX_DIGITS) {
			throw new IllegalArgumentException("digits must be from 0 to %d: %d".formatted(MAX_DIGITS, digits));
		}
		secrets = List.copyOf(secrets);
		Set<Character> ids = new HashSet<>();
		for (IdSecret secret : secrets) {
			if (!ids.add(secret.id())) {
				throw new IllegalArgumentException(
						"Secrets must have different IDs, because the ID in a text shows which one to unmask it with: there are two with the ID %s"
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
	 * Returns the factor of the period in an ID.
	 */
	long scale() {
		long scale = 1;
		for (int i = 0; i < this.digits; i++) {
			scale *= 10;
		}
		return scale;
	}

}
