// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import org.jspecify.annotations.Nullable;

/**
 * A segment store that records an observation of each allocation.
 */
final class ObservedSegmentStore implements SegmentStore {

	private final SegmentStore store;

	private final StoreObservations observations;

	ObservedSegmentStore(SegmentStore store, StoreObservations observations) {
		this.store = store;
		this.observations = observations;
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
		return this.observations.fetch(key, size).observe(() -> this.store.allocate(key, size, floor, timeout));
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, Window window, Duration timeout) {
		return this.observations.fetch(key, size).observe(() -> this.store.allocate(key, size, window, timeout));
	}

	@Override
	public @Nullable Counter read(String key, Duration timeout) {
		return this.store.read(key, timeout);
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		return this.store.giveBack(unissued);
	}

	@Override
	public void checkWritable() {
		this.store.checkWritable();
	}

	@Override
	public List<SegmentRow> findAll() {
		return this.store.findAll();
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return this.store.find(keys);
	}

	@Override
	public void create(String key, int step, long from) {
		this.store.create(key, step, from);
	}

}
