// SPDX-License-Identifier: Apache-2.0

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
