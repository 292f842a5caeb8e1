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
