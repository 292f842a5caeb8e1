// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.Map;

import io.leaf.InvalidRequestException;
import io.leaf.support.IdArguments;

/**
 * The formats of the keys of an application. {@code formats.of("order").parse(text)}
 * returns the ID of a text that {@link io.leaf.IdGenerator#nextText(String)} has
 * returned.
 *
 * @param byKey the formats by key; keys without a format are left out
 */
public record IdFormats(Map<String, IdFormat> byKey) {

	private static final IdFormat DECIMAL = IdFormat.of("{number}");

	/**
	 * Creates formats.
	 */
	public IdFormats {
		byKey = Map.copyOf(byKey);
	}

	/**
	 * Returns the format of a key.
	 * @param key the key
	 * @return the format of the key, or {@code {number}} (a decimal number) if the key
	 * has no format
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public IdFormat of(String key) {
		return this.byKey.getOrDefault(IdArguments.checkKey(key), DECIMAL);
	}

}
