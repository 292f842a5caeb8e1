// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaf.ManualScheduler;
import io.leaf.segment.SegmentEnvironment.LatchWait;

/**
 * Lets tests of other packages create a generator with a manual clock.
 */
public final class ManualSegments {

	private ManualSegments() {
	}

	/**
	 * Creates a generator whose tasks run on the scheduler. They run while the first
	 * caller waits, whose key is looked up. All other callers give up at once.
	 */
	public static SegmentIdGenerator create(SegmentStore store, SegmentSettings settings, ManualScheduler scheduler) {
		AtomicBoolean waited = new AtomicBoolean();
		LatchWait waits = (latch, nanos) -> {
			if (!waited.getAndSet(true)) {
				scheduler.run();
			}
			return latch.getCount() == 0;
		};
		return new SegmentIdGenerator(store, settings,
				new SegmentEnvironment(scheduler, () -> SegmentFixture.NOW, scheduler::nanoTime, waits, new Random(1)));
	}

}
