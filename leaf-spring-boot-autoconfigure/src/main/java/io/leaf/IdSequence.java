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

import java.util.function.LongSupplier;

/**
 * An {@link IdGenerator} bound to one key. Safe for use by any number of threads.
 *
 * @see IdGenerator#sequence(String)
 */
public interface IdSequence extends LongSupplier {

	/**
	 * Returns the key whose IDs this sequence issues.
	 * @return the key
	 */
	String key();

	/**
	 * Returns the next ID.
	 * @return an ID, zero or greater
	 * @throws UnknownKeyException if there is no such key, or no longer
	 * @throws IdGenerationException if no ID can be issued at present
	 * @see IdGenerator#nextId(String)
	 */
	long nextId();

	/**
	 * Returns several IDs in ascending order, in one step.
	 * @param count how many, 1 to {@value IdGenerator#MAX_COUNT}
	 * @return an array of {@code count} IDs
	 * @throws UnknownKeyException if there is no such key, or no longer
	 * @throws InvalidRequestException if the count is out of range
	 * @throws IdGenerationException if that many IDs cannot be issued at present
	 * @see IdGenerator#nextIds(String, int)
	 */
	long[] nextIds(int count);

	@Override
	default long getAsLong() {
		return nextId();
	}

}
