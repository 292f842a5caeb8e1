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

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/**
 * Creates what the tests let race.
 */
final class Sequences {

	/**
	 * How long a caller waits before its wake-up counts as lost.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(10);

	/**
	 * The mark is at the first number of a segment: whoever draws it has the next one
	 * fetched.
	 */
	static final SegmentSettings MARK_FIRST = settings(0, Ordering.STRICT);

	private Sequences() {
	}

	/**
	 * Returns settings.
	 * @param prefetchAt the part of a segment that lies before its mark
	 */
	static SegmentSettings settings(double prefetchAt, Ordering ordering) {
		return new SegmentSettings(prefetchAt, Duration.ofMinutes(15), 1_000, PATIENCE, Duration.ofMinutes(1), false,
				true, 0, ordering, true, Map.of(), true);
	}

	/**
	 * Creates a sequence that has its first segment in memory and has issued nothing.
	 */
	static SegmentSequence preloaded(SegmentStore store, SegmentSettings settings, Tasks tasks) {
		SegmentSequence sequence = SegmentSequence.create("key", store, settings, environment(tasks), (removed) -> {
		});
		sequence.preload();
		return sequence;
	}

	static SegmentEnvironment environment(Tasks tasks) {
		return new SegmentEnvironment(tasks, tasks, InstantSource.fixed(Instant.EPOCH), System::nanoTime,
				SegmentEnvironment::park, () -> 0);
	}

}
