// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.leaf.IdSequence;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStatus;

/**
 * A generator in segment mode that knows 50 keys, one of which is drawn from.
 */
class SegmentSource {

	/**
	 * The largest step that adapting reaches.
	 */
	static final long LARGEST_STEP = 1_000_000;

	private static final List<String> KEYS = IntStream.range(0, 50).mapToObj((i) -> "key-" + i).toList();

	private final String key = KEYS.get(17);

	private final MemorySegmentStore store;

	private final SegmentIdGenerator generator;

	SegmentSource(Ordering ordering, long step) {
		this.store = new MemorySegmentStore(step, Duration.ZERO, KEYS);
		SegmentSettings s = SegmentSettings.DEFAULTS;
		this.generator = new SegmentIdGenerator(this.store,
				new SegmentSettings(s.prefetchAt(), s.targetDuration(), s.maxStep(), s.acquireTimeout(),
						s.refreshInterval(), s.preload(), s.failFast(), s.autoCreateStep(), ordering, s.giveBack(),
						s.startFrom(), s.aboveExistingIds()));
		this.generator.start();
	}

	String key() {
		return this.key;
	}

	SegmentIdGenerator generator() {
		return this.generator;
	}

	IdSequence sequence() {
		return this.generator.sequence(this.key);
	}

	/**
	 * Returns how many IDs have been issued: all that were allocated, less what is left.
	 * To be called when no thread draws any more.
	 */
	long issued() {
		// what a fetch still under way brings belongs to nobody
		long allocated;
		SegmentStatus status;
		do {
			allocated = this.store.allocated(this.key);
			status = this.generator.status(this.key);
		}
		while (status == null || end(status) != allocated + 1);
		SegmentStatus.Range next = status.next();
		SegmentStatus.Current current = status.current();
		return allocated - ((current != null) ? current.remaining() : 0)
				- ((next != null) ? next.to() - next.from() : 0);
	}

	private static long end(SegmentStatus status) {
		SegmentStatus.Range next = status.next();
		if (next != null) {
			return next.to();
		}
		SegmentStatus.Current current = status.current();
		return (current != null) ? current.to() : 1;
	}

}
