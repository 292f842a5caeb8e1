// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Lets a simulation create generators.
 */
public final class SimulatedSegments {

	private SimulatedSegments() {
	}

	/**
	 * Creates a generator in a world of its own.
	 */
	public static SegmentIdGenerator create(SegmentStore store, SegmentSettings settings,
			ScheduledExecutorService executor, InstantSource clock, LongSupplier nanoTime, Waits waits,
			Executor handOff, RandomGenerator random) {
		return new SegmentIdGenerator(store, settings, new SegmentEnvironment(executor, handOff, clock, nanoTime,
				(latch, nanos) -> waits.await(() -> latch.getCount() == 0, nanos), random));
	}

	/**
	 * How a caller waits.
	 */
	public interface Waits {

		/**
		 * Waits until something has happened.
		 * @return whether it has
		 */
		boolean await(BooleanSupplier happened, long nanos);

	}

}
