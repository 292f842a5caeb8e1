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

package io.leaf.it.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which of {@value #SIZE} IDs have been issued. Safe for use by any number of threads.
 */
final class LedgerPage {

	/** One millisecond's IDs of a worker ID in Leaf's layout. */
	static final int SIZE = 4096;

	/** A page of which every ID has been issued. */
	static final LedgerPage FULL = new LedgerPage();

	static {
		FULL.fill(SIZE);
	}

	private final AtomicLongArray words = new AtomicLongArray(SIZE / Long.SIZE);

	private final AtomicInteger marked = new AtomicInteger();

	/**
	 * Marks consecutive IDs as issued.
	 * @param index the first one's place in the page
	 * @param count how many, all of them in one word of 64
	 * @return whether all were new
	 */
	boolean mark(int index, int count) {
		long mask = (-1L >>> (Long.SIZE - count)) << (index % Long.SIZE);
		long before = this.words.getAndAccumulate(index / Long.SIZE, mask, (word, bits) -> word | bits);
		this.marked.addAndGet(count - Long.bitCount(before & mask));
		return (before & mask) == 0;
	}

	/**
	 * Marks the first IDs as issued, before the page is used.
	 */
	void fill(int count) {
		for (int i = 0; i < count; i++) {
			mark(i, 1);
		}
	}

	boolean isFull() {
		return this.marked.get() == SIZE;
	}

}
