/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.autoconfigure;

import java.time.Duration;

import io.leaf.support.DurationText;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks the values of properties.
 *
 * @param prefix what the names of the properties begin with
 */
record PropertyRanges(String prefix) {

	<T extends Comparable<T>> void requireBetween(String name, T value, T min, T max) {
		require(name, value, value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
				"from %s to %s".formatted(text(min), text(max)));
	}

	void require(String name, Object value, boolean valid, String range) {
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException(this.prefix + "." + name, value,
					"It must be " + range);
		}
	}

	private static String text(Object bound) {
		return (bound instanceof Duration duration) ? DurationText.of(duration) : bound.toString();
	}

}
