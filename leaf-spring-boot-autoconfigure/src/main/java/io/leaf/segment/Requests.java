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

package io.leaf.segment;

import io.leaf.IdGenerator;
import io.leaf.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of what may be asked for.
 */
final class Requests {

	/**
	 * The width of the column {@code biz_tag} in every published layout of the table.
	 */
	static final int MAX_KEY_LENGTH = 128;

	private Requests() {
	}

	static String checkKey(@Nullable String key) {
		if (key == null) {
			throw new InvalidRequestException("A key must have 1 to %d characters: was null".formatted(MAX_KEY_LENGTH));
		}
		if (!isKey(key)) {
			throw new InvalidRequestException("A key must have 1 to %d characters: '%s' has %d"
				.formatted(MAX_KEY_LENGTH, abbreviate(key), key.length()));
		}
		return key;
	}

	static boolean isKey(@Nullable String key) {
		return key != null && !key.isEmpty() && key.length() <= MAX_KEY_LENGTH;
	}

	static void checkCount(int count) {
		if (count < 1 || count > IdGenerator.MAX_COUNT) {
			throw new InvalidRequestException(
					"A count must be from 1 to %d: was %d".formatted(IdGenerator.MAX_COUNT, count));
		}
	}

	private static String abbreviate(String key) {
		return (key.length() <= 40) ? key : key.substring(0, 40) + "…";
	}

}
