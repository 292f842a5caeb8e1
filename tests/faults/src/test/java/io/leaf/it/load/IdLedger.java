// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Remembers each ID of one ID space, and refuses an ID that it already contains.
 * Thread-safe.
 * <p>
 * IDs are bits in pages of {@value LedgerPage#SIZE}. A full page is discarded: from then
 * on, all its IDs count as issued. So do all IDs below the floor, which rises as the
 * lowest pages fill up. Nothing else is forgotten, so the ledger finds every duplicate,
 * regardless of the time between the two IDs and of the threads that drew them.
 * <p>
 * If IDs are skipped, pages never fill up. In this case, the lowest page is discarded as
 * soon as there are {@value #PAGES_WITH_GAPS} others. An ID that arrives later is
 * refused, whether or not it is a duplicate.
 */
final class IdLedger {

	/** Half a minute, if each page covers a millisecond. */
	private static final int PAGES_WITH_GAPS = 30_000;

	private final int pagesAtMost;

	private final ConcurrentSkipListMap<Long, LedgerPage> pages = new ConcurrentSkipListMap<>();

	private final AtomicLong highest;

	private final LongAdder ids = new LongAdder();

	// counted here, because the size of the map takes linear time
	private int size;

	private long floor;

	private IdLedger(long first, int pagesAtMost) {
		this.floor = first;
		this.highest = new AtomicLong(first - 1);
		this.pagesAtMost = pagesAtMost;
	}

	/**
	 * Creates a ledger for consecutive IDs.
	 * @param first the lowest ID
	 */
	static IdLedger consecutive(long first) {
		return new IdLedger(first, Integer.MAX_VALUE);
	}

	/**
	 * Creates a ledger for IDs with gaps.
	 */
	static IdLedger withGaps() {
		return new IdLedger(0, PAGES_WITH_GAPS);
	}

	/**
	 * Returns the highest ID so far. A call that begins now must get a higher ID.
	 */
	long highest() {
		return this.highest.get();
	}

	/**
	 * Returns the number of IDs in the ledger.
	 */
	long ids() {
		return this.ids.sum();
	}

	/**
	 * Adds IDs that one thread has drawn.
	 * @param before the value of {@link #highest()} before the first of them was
	 * requested
	 * @param drawn the IDs, in the order in which they were drawn
	 * @param count the number of IDs
	 * @throws IllegalStateException if the ledger already contains an ID, or if an ID is
	 * not larger than the previous one
	 */
	void add(long before, long[] drawn, int count) {
		long last = before;
		int start = 0;
		for (int i = 0; i < count; i++) {
			if (drawn[i] <= last) {
				throw new IllegalStateException("%d was issued after %d".formatted(drawn[i], last));
			}
			last = drawn[i];
			boolean continues = i + 1 < count && drawn[i + 1] == last + 1 && drawn[i + 1] % Long.SIZE != 0;
			if (!continues) {
				mark(drawn[start], i + 1 - start);
				start = i + 1;
			}
		}
		this.highest.accumulateAndGet(last, Math::max);
		this.ids.add(count);
	}

	private void mark(long first, int count) {
		long number = first / LedgerPage.SIZE;
		LedgerPage page = this.pages.get(number);
		if (page == null) {
			page = open(number);
		}
		int index = (int) (first % LedgerPage.SIZE);
		if (!page.mark(index, count)) {
			throw new IllegalStateException("An ID from %d to %d was issued twice".formatted(first, first + count - 1));
		}
		if (page.isFull()) {
			close(number);
		}
	}

	private synchronized LedgerPage open(long number) {
		LedgerPage page = this.pages.get(number);
		if (page != null) {
			return page;
		}
		long from = number * LedgerPage.SIZE;
		if (from + LedgerPage.SIZE <= this.floor) {
			// all IDs of the page count as issued
			return LedgerPage.FULL;
		}
		page = new LedgerPage();
		if (from < this.floor) {
			page.fill((int) (this.floor - from));
		}
		this.pages.put(number, page);
		this.size++;
		trim();
		return page;
	}

	private synchronized void close(long number) {
		if (this.pages.replace(number, LedgerPage.FULL) != null) {
			trim();
		}
	}

	private void trim() {
		for (Map.Entry<Long, LedgerPage> lowest = this.pages.firstEntry(); lowest != null; lowest = this.pages
			.firstEntry()) {
			boolean full = lowest.getValue() == LedgerPage.FULL && lowest.getKey() == this.floor / LedgerPage.SIZE;
			if (!full && this.size <= this.pagesAtMost) {
				return;
			}
			this.pages.remove(lowest.getKey());
			this.size--;
			this.floor = (lowest.getKey() + 1) * LedgerPage.SIZE;
		}
	}

	/**
	 * Removes all pages. Must be called while no IDs are drawn. All IDs that are drawn
	 * later must be higher than all IDs so far.
	 */
	synchronized void settle() {
		this.pages.clear();
		this.size = 0;
		this.floor = highest() + 1;
	}

	/**
	 * Records which of {@value #SIZE} IDs have been issued. Thread-safe.
	 */
	private static final class LedgerPage {

		/** The number of IDs of a worker ID per millisecond in Leaf's layout. */
		static final int SIZE = 4096;

		/** A page whose IDs have all been issued. */
		static final LedgerPage FULL = new LedgerPage();

		static {
			FULL.fill(SIZE);
		}

		private final AtomicLongArray words = new AtomicLongArray(SIZE / Long.SIZE);

		private final AtomicInteger marked = new AtomicInteger();

		/**
		 * Marks consecutive IDs as issued.
		 * @param index the index of the first ID in the page
		 * @param count the number of IDs, all of them in one word of 64 bits
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

}
