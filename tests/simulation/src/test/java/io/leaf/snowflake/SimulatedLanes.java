// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Gives the simulation access to a package-private constructor of {@link SnowflakeLanes}.
 */
public final class SimulatedLanes {

	private SimulatedLanes() {
	}

	/**
	 * Creates lanes with simulated dependencies.
	 */
	public static SnowflakeLanes create(SnowflakeSettings settings, GeneratorClock clock, LongSupplier nanoTime,
			LongConsumer park, RandomGenerator random) {
		return new SnowflakeLanes(settings, clock, new SnowflakeEnvironment(nanoTime, park, random));
	}

}
