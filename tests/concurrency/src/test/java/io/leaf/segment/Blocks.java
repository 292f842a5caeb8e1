// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store in memory with a single counter, which begins at 1. Its segments have the given
 * lengths, one after the other. All further segments have the last of these lengths.
 * Without any length, the store refuses to allocate.
 */
final class Blocks implements SegmentStore {

	private final int[] lengths;

	private final AtomicInteger allocations = new AtomicInteger();

	private final AtomicLong next = new AtomicLong(1);

	Blocks(int... lengths) {
		this.lengths = lengths;
	}

	/**
	 * Creates a store that refuses to allocate.
	 */
	static SegmentStore refusing() {
		return new Blocks();
	}

	@Override
	public Allocation allocate(String key, long size, long floor, Duration timeout) {
		if (this.lengths.length == 0) {
			throw new SegmentStoreException("refused", null, true);
		}
		long length = this.lengths[Math.min(this.allocations.getAndIncrement(), this.lengths.length - 1)];
		long from = this.next.getAndAdd(length);
		return new Allocation(from, from + length, 1);
	}

	/**
	 * Returns how many segments have been allocated.
	 */
	int allocations() {
		return this.allocations.get();
	}

	@Override
	public void checkWritable() {
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<SegmentRow> findAll() {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return keys.stream().map((key) -> new SegmentRow(key, 1, 1)).toList();
	}

	@Override
	public void create(String key, int step, long from) {
		throw new UnsupportedOperationException();
	}

}
