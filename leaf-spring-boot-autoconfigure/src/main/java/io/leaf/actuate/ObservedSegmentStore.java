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

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

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
	public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
		return this.observations.fetch(key, size).observe(() -> this.store.allocate(key, size, floor, timeout));
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
