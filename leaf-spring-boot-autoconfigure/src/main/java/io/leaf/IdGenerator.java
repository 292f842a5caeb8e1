// SPDX-License-Identifier: Apache-2.0

package io.leaf;

/**
 * Issues 64-bit IDs. Each ID is unique for its key among all processes that share the
 * same store.
 * <p>
 * A key names what the IDs are for, usually an entity or a table. It has 1 to 128
 * characters. In segment mode, the keys are the {@code biz_tag} values of the table
 * {@code leaf_alloc}. IDs are never negative.
 * <p>
 * Implementations are safe for use by any number of threads, virtual ones included. A
 * call usually returns without waiting. If a call has to wait, for example for the store,
 * it parks the calling thread for at most the configured acquire timeout. In segment
 * mode, a call that first has to look up its key may wait up to the same timeout for the
 * look-up in addition. If the thread is interrupted while it waits, the call throws an
 * {@link IdGenerationException}, and the thread keeps its interrupted status. Callers
 * that must not be parked, such as those on an event loop, use
 * {@link IdSequence#nextIdAsync()}.
 *
 * @see IdSequence
 */
public interface IdGenerator {

	/**
	 * The maximum number of IDs that one call of {@link #nextIds(String, int)} returns.
	 */
	int MAX_COUNT = 1_000_000;

	/**
	 * Returns the next ID of a key.
	 * @param key what the ID is for; 1 to 128 characters
	 * @return an ID, zero or greater
	 * @throws UnknownKeyException if there is no such key
	 * @throws InvalidRequestException if the key is null, empty or too long
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	long nextId(String key);

	/**
	 * Returns several IDs of a key at once. The IDs are in ascending order, but not
	 * necessarily contiguous. If the call fails, the IDs that it has already drawn are
	 * skipped and never issued.
	 * @param key what the IDs are for; 1 to 128 characters
	 * @param count how many IDs, from 1 to {@value #MAX_COUNT}. In snowflake mode, the
	 * maximum is lower if one worker ID cannot issue that many IDs within the acquire
	 * timeout
	 * @return an array of {@code count} IDs
	 * @throws UnknownKeyException if there is no such key
	 * @throws InvalidRequestException if the key is null, empty or too long, or the count
	 * is out of range
	 * @throws IdGenerationException if that many IDs cannot be issued at the moment
	 */
	long[] nextIds(String key, int count);

	/**
	 * Returns the next ID of a key as text, in the key's format, such as
	 * {@code ORD-7ZKX2M}. If the key has no format, the text is the decimal number.
	 * <p>
	 * The bean of type {@code io.leaf.text.IdFormats} parses such texts. Generators that
	 * do not support formats return decimal numbers.
	 * @param key what the ID is for; 1 to 128 characters
	 * @return the text of an ID
	 * @throws UnknownKeyException if there is no such key
	 * @throws InvalidRequestException if the key is null, empty or too long
	 * @throws IdGenerationException if no ID can be issued at the moment, or if the ID
	 * does not fit the format. An ID that does not fit is skipped and never issued
	 */
	default String nextText(String key) {
		return Long.toString(nextId(key));
	}

	/**
	 * Returns the sequence of one key. The sequence issues IDs as {@link #nextId(String)}
	 * does, but does not look up the key at each call. This method performs no I/O and
	 * never waits, so it can be called in a constructor. Whether the key exists is
	 * checked when the first ID is requested.
	 * @param key what the IDs are for; 1 to 128 characters
	 * @return the sequence, which can be used for as long as this generator can be used
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	IdSequence sequence(String key);

}
