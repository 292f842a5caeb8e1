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

import java.util.Map;

/**
 * Where the keys begin whose rows {@link SegmentSettings#autoCreateStep() auto-create}
 * adds.
 *
 * @param startFrom the smallest number of single keys, by key; 1 for all others
 * @param aboveExistingIds whether to begin above the IDs that the table of the key's
 * entity holds, if that is larger
 */
public record KeyStarts(Map<String, Long> startFrom, boolean aboveExistingIds) {

	/**
	 * The defaults: 1, or above the existing IDs.
	 */
	public static final KeyStarts DEFAULTS = new KeyStarts(Map.of(), true);

	/**
	 * Creates settings.
	 * @throws IllegalArgumentException if a number is not positive
	 */
	public KeyStarts {
		startFrom = Map.copyOf(startFrom);
		startFrom.forEach((key, from) -> {
			if (from < 1) {
				throw new IllegalArgumentException(
						"'startFrom' of key '%s' must be 1 or more: %d".formatted(key, from));
			}
		});
	}

}
