// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

import io.leaf.SegmentUnavailableException;
import io.leaf.support.AsyncExecutor;
import io.leaf.support.AsyncThreads;

/**
 * Creates sequences and their environments for the tests.
 */
final class Sequences {

	/**
	 * How long a caller waits before its wake-up counts as lost.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(10);

	/**
	 * The settings with the mark at the first number of each segment. Drawing this number
	 * starts the fetch of the next segment.
	 */
	static final SegmentSettings MARK_FIRST = settings(0, Ordering.STRICT);

	private Sequences() {
	}

	/**
	 * Creates settings.
	 * @param prefetchAt the fraction of a segment that lies before its mark
	 */
	static SegmentSettings settings(double prefetchAt, Ordering ordering) {
		return SegmentSettings.builder()
			.prefetchAt(prefetchAt)
			.targetDuration(Duration.ofMinutes(15))
			.maxStep(1_000)
			.acquireTimeout(PATIENCE)
			.refreshInterval(Duration.ofMinutes(1))
			.preload(false)
			.failFast(true)
			.autoCreateStep(0)
			.ordering(ordering)
			.giveBack(true)
			.keys(Map.of())
			.aboveExistingIds(true)
			.build();
	}

	/**
	 * Creates a sequence that has its first segment in memory and has not issued a
	 * number.
	 */
	static KeySequence preloaded(SegmentStore store, SegmentSettings settings, Tasks tasks) {
		SegmentEnvironment environment = environment(tasks);
		KeySequence sequence = KeySequence.create("key", store, settings, environment,
				new KeyDirectory(store, settings, environment));
		sequence.preload();
		return sequence;
	}

	/**
	 * Draws a number.
	 * @return the number, or 0 if none was available
	 */
	static long idOrNone(KeySequence sequence) {
		try {
			return sequence.nextId();
		}
		catch (SegmentUnavailableException ex) {
			return 0;
		}
	}

	static SegmentEnvironment environment(Tasks tasks) {
		return environment(tasks, new AsyncThreads("unused"));
	}

	static SegmentEnvironment environment(Tasks tasks, AsyncExecutor async) {
		return new SegmentEnvironment(tasks, InstantSource.fixed(Instant.EPOCH), System::nanoTime,
				SegmentEnvironment::park, () -> 0, async);
	}

}
