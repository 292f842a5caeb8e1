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

package io.leaf;

/**
 * Thrown when IDs are asked for a key that does not exist. In segment mode that is a key
 * without a row in {@code leaf_alloc}; a row added later is found without a restart.
 */
public class UnknownKeyException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String key;

	/**
	 * Creates an exception.
	 * @param key the key asked for
	 * @param message what to do about it
	 */
	public UnknownKeyException(String key, String message) {
		super(message);
		this.key = key;
	}

	/**
	 * Returns the key asked for.
	 * @return the key
	 */
	public String getKey() {
		return this.key;
	}

}
