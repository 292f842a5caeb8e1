// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.leaf.IdSequence;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;

/**
 * A generator in segment mode with 50 keys. IDs are drawn from one of them.
 */
class SegmentSource {

	/**
	 * The largest segment that the generator requests.
	 */
	static final long LARGEST_STEP = SegmentDefaults.SETTINGS.maxStep();

	private static final List<String> KEYS = IntStream.range(0, 50).mapToObj((i) -> "key-" + i).toList();

	private final String key = KEYS.get(17);

	private final InMemorySegmentStore store;

	private final SegmentIdGenerator generator;

	SegmentSource(Ordering ordering, long step) {
		this.store = new InMemorySegmentStore(step, Duration.ZERO, KEYS);
		this.generator = new SegmentIdGenerator(this.store,
				SegmentDefaults.SETTINGS.toBuilder().ordering(ordering).build());
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
	 * Returns how many IDs have been issued: the allocated numbers less those in the
	 * buffer. Must be called when no thread draws IDs.
	 */
	long issued() {
		// a fetch may still be in flight: wait until the buffer contains its segment
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
