// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;

import io.leaf.support.DurationText;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks the values of properties.
 *
 * @param prefix the prefix of the property names
 */
public record PropertyRanges(String prefix) {

	public <T extends Comparable<T>> void requireBetween(String name, T value, T min, T max) {
		require(name, value, value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
				"from %s to %s".formatted(text(min), text(max)));
	}

	public void require(String name, Object value, boolean valid, String range) {
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException(this.prefix + "." + name, value,
					"It must be " + range);
		}
	}

	private static String text(Object bound) {
		return (bound instanceof Duration duration) ? DurationText.of(duration) : bound.toString();
	}

}
