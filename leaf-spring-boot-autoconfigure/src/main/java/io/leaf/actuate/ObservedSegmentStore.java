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
package io.leaf.actuate;

import java.util.List;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import org.jspecify.annotations.Nullable;

/**
 * A store whose fetches are observed.
 */
final class ObservedSegmentStore implements SegmentStore {

	private final SegmentStore store;

	private final StoreObservations observations;

	ObservedSegmentStore(SegmentStore store, StoreObservations observations) {
		this.store = store;
		this.observations = observations;
	}

	@Override
	public @Nullable Allocation allocate(String key, long size) {
		return this.observations.fetch(key, size).observe(() -> this.store.allocate(key, size));
	}

	@Override
	public void raise(String key, long floor) {
		this.store.raise(key, floor);
	}

	@Override
	public boolean giveBack(String key, long from, long to) {
		return this.store.giveBack(key, from, to);
	}

	@Override
	public List<SegmentRow> findAll() {
		return this.store.findAll();
	}

	@Override
	public @Nullable SegmentRow find(String key) {
		return this.store.find(key);
	}

	@Override
	public void create(String key, int step, long from) {
		this.store.create(key, step, from);
	}

}
