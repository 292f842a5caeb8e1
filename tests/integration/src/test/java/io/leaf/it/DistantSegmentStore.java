// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;

/**
 * A store with rows in memory, to which a request takes as long as to a database.
 */
final class DistantSegmentStore implements SegmentStore {

	private static final long ROUND_TRIP = TimeUnit.MILLISECONDS.toNanos(2);

	private final Map<String, SegmentRow> rows = new ConcurrentHashMap<>();

	void put(String key, int step) {
		this.rows.put(key, new SegmentRow(key, 1, step));
	}

	@Override
	public Allocation allocate(String key, long size, long floor, Duration timeout) {
		awaitRoundTrip();
		SegmentRow row = this.rows.computeIfPresent(key,
				(name, old) -> new SegmentRow(name, old.maxId() + size, old.step()));
		return (row != null) ? new Allocation(row.maxId() - size, row.maxId(), row.step()) : null;
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
		awaitRoundTrip();
		return List.copyOf(this.rows.values());
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return findAll().stream().filter((row) -> keys.contains(row.key())).toList();
	}

	@Override
	public void create(String key, int step, long from) {
		throw new UnsupportedOperationException("Not used by this test");
	}

	private static void awaitRoundTrip() {
		LockSupport.parkNanos(ROUND_TRIP);
	}

}
