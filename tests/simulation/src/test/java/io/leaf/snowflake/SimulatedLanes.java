// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Gives a simulation access to package-private constructors of lanes.
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
