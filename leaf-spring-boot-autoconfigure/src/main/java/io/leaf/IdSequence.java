// SPDX-License-Identifier: Apache-2.0

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
	 * @throws UnknownKeyException if the key does not exist, or no longer exists
	 * @throws IdGenerationException if no ID can be issued at the moment
	 * @see IdGenerator#nextId(String)
	 */
	long nextId();

	/**
	 * Returns several IDs in ascending order, in one step.
	 * @param count how many, 1 to {@value IdGenerator#MAX_COUNT}
	 * @return an array of {@code count} IDs
	 * @throws UnknownKeyException if the key does not exist, or no longer exists
	 * @throws InvalidRequestException if the count is out of range
	 * @throws IdGenerationException if that many IDs cannot be issued at the moment
	 * @see IdGenerator#nextIds(String, int)
	 */
	long[] nextIds(int count);

	@Override
	default long getAsLong() {
		return nextId();
	}

}
