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
class StubSegmentStore implements SegmentStore {

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
