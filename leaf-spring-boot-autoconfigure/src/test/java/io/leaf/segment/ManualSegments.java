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

import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaf.ManualScheduler;
import io.leaf.segment.SegmentEnvironment.LatchWait;

/**
 * Lets tests of other packages create a generator on a manual clock.
 */
public final class ManualSegments {

	private ManualSegments() {
	}

	/**
	 * Creates a generator whose threads are the scheduler. They work while the first
	 * caller waits, which looks its key up; all others give up at once.
	 */
	public static SegmentIdGenerator create(SegmentStore store, SegmentSettings settings, ManualScheduler scheduler) {
		AtomicBoolean waited = new AtomicBoolean();
		LatchWait waits = (latch, nanos) -> {
			if (!waited.getAndSet(true)) {
				scheduler.run();
			}
			return latch.getCount() == 0;
		};
		return new SegmentIdGenerator(store, settings, new SegmentEnvironment(scheduler, scheduler,
				() -> SegmentFixture.NOW, scheduler::nanoTime, waits, new Random(1)));
	}

}
