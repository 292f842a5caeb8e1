// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.server.SharedConnection;

/**
 * The store for the requests of clients. Requests that read or check rows use the
 * {@link SharedConnection}. {@link SlowKeysStore} limits the other requests. The
 * generator of the server does not use this class, so it never waits for clients.
 */
final class SharedSegmentStore implements SegmentStore {

	private final SegmentStore store;

	private final SharedConnection connection;

	SharedSegmentStore(SegmentStore store, SharedConnection connection) {
		this.store = store;
		this.connection = connection;
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
		this.connection.run("check", () -> {
			this.store.checkWritable();
			return true;
		});
	}

	@Override
	public List<SegmentRow> findAll() {
		return this.connection.run("all keys", this.store::findAll);
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return this.connection.run("keys " + keys, () -> this.store.find(keys));
	}

}
