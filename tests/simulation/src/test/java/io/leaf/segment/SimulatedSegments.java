// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Gives the simulation access to a package-private constructor of
 * {@link SegmentIdGenerator}.
 */
public final class SimulatedSegments {

	private SimulatedSegments() {
	}

	/**
	 * Creates a generator with simulated dependencies.
	 */
	public static SegmentIdGenerator create(SegmentStore store, SegmentSettings settings,
			ScheduledExecutorService executor, InstantSource clock, LongSupplier nanoTime, Waits waits,
			RandomGenerator random) {
		return new SegmentIdGenerator(store, settings, new SegmentEnvironment(executor, clock, nanoTime,
				(latch, nanos) -> waits.await(() -> latch.getCount() == 0, nanos), random));
	}

	/**
	 * Lets callers wait.
	 */
	public interface Waits {

		/**
		 * Waits until a condition holds.
		 * @return whether it holds
		 */
		boolean await(BooleanSupplier condition, long nanos);

	}

}
