// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;

/**
 * Knows one key and one segment.
 */
public class StubSegmentStore implements SegmentStore {

	@Override
	public Allocation allocate(String key, long size, long floor, Duration timeout) {
		return new Allocation(7, 1000, 993);
	}

	@Override
	public void checkWritable() {
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		return Set.of();
	}

	@Override
	public List<SegmentRow> findAll() {
		return List.of(new SegmentRow("order", 7, 993));
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return List.of();
	}

	@Override
	public void create(String key, int step, long from) {
	}

}
