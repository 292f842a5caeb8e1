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

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where segments come from: per key a counter, the smallest number not yet allocated,
 * which all processes advance.
 * <p>
 * Each method is one transaction of its own. It has been committed when the method
 * returns, and it has no part in any transaction of the calling thread. Where a method
 * throws, its outcome is unknown: it may have taken effect. That costs numbers, never
 * uniqueness, since numbers of a segment that was not returned are never issued.
 * <p>
 * Methods block for I/O; the library calls them on its own threads only.
 */
public interface SegmentStore {

	/**
	 * The largest end of a segment. Stores refuse to go beyond it: the distance to
	 * {@link Long#MAX_VALUE}, 2^40 numbers, is room for the attempts of callers that find
	 * a segment used up.
	 */
	long MAX_END = Long.MAX_VALUE - (1L << 40);

	/**
	 * Takes the next {@code size} numbers of a key.
	 * @param key the key
	 * @param size how many numbers, at least 1
	 * @return the block taken, or {@code null} if there is no row for the key
	 * @throws SegmentStoreException if the store cannot be reached, or refuses
	 */
	@Nullable Allocation allocate(String key, long size);

	/**
	 * Raises the counter of a key to at least {@code floor}, so that nothing below it is
	 * allocated again. Has no effect where the counter is there already.
	 * @param key the key
	 * @param floor the smallest number that may be allocated from now on
	 * @throws SegmentStoreException if the store cannot be reached
	 */
	void raise(String key, long floor);

	/**
	 * Returns the numbers {@code [from, to)} to the store, if and only if the counter
	 * still stands at {@code to}: nobody has allocated since.
	 * @param key the key
	 * @param from the first number to return
	 * @param to the end of the last segment that was allocated
	 * @return whether the numbers were taken back
	 * @throws SegmentStoreException if the store cannot be reached
	 */
	boolean giveBack(String key, long from, long to);

	/**
	 * Reads the rows of all keys.
	 * @return the rows, in no particular order
	 * @throws SegmentStoreException if the store cannot be reached
	 */
	List<SegmentRow> findAll();

	/**
	 * Reads the row of a key.
	 * @param key the key
	 * @return the row of exactly this key, letter case and trailing spaces included, or
	 * {@code null} if there is none
	 * @throws SegmentStoreException if the store cannot be reached
	 */
	@Nullable SegmentRow find(String key);

	/**
	 * Adds a row for a key, unless there is one.
	 * @param key the key
	 * @param step the row's step, at least 1
	 * @param from the smallest number to allocate, at least 1
	 * @throws SegmentStoreException if the store cannot be reached, or refuses
	 */
	void create(String key, int step, long from);

	/**
	 * A block of numbers taken from the store.
	 *
	 * @param from the first number
	 * @param to the end, exclusive
	 * @param rowStep the step that the row states at present
	 */
	record Allocation(long from, long to, long rowStep) {

		/**
		 * Creates an allocation.
		 * @throws IllegalArgumentException if the block is empty, reaches below 0 or
		 * beyond {@link #MAX_END}, or the step is not positive
		 */
		public Allocation {
			if (from < 0 || to <= from || to > MAX_END || rowStep < 1) {
				throw new IllegalArgumentException("Not a segment: from=" + from + " to=" + to + " step=" + rowStep);
			}
		}

	}

}
