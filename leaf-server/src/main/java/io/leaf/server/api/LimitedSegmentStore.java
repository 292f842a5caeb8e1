// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.server.RequestTurns;

/**
 * The store for the requests of clients. Requests that find or check rows take
 * {@link RequestTurns turns}. {@link SlowKeysStore} limits the other requests. The
 * generator of the server does not use this class, so it needs no turn.
 */
final class LimitedSegmentStore implements SegmentStore {

	private final SegmentStore store;

	private final RequestTurns turns;

	LimitedSegmentStore(SegmentStore store, RequestTurns turns) {
		this.store = store;
		this.turns = turns;
	}

	@Override
	public Allocation allocate(String key, long size, long floor, Duration timeout) {
		return this.store.allocate(key, size, floor, timeout);
	}

	@Override
	public Allocation allocate(String key, long size, Window window, Duration timeout) {
		return this.store.allocate(key, size, window, timeout);
	}

	@Override
	public Counter read(String key, Duration timeout) {
		return this.store.read(key, timeout);
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		return this.store.giveBack(unissued);
	}

	@Override
	public void create(String key, int step, long from) {
		this.store.create(key, step, from);
	}

	@Override
	public void checkWritable() {
		this.turns.run("check", "the check of the segment table", () -> {
			this.store.checkWritable();
			return true;
		});
	}

	@Override
	public List<SegmentRow> findAll() {
		return this.turns.runForRows(this.store::findAll);
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return this.turns.runForRows(() -> this.store.find(keys));
	}

}
