// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

import io.leaf.snowflake.SnowflakeLanes;

/**
 * Gives the simulation access to a package-private constructor of {@link LeaseKeeper}.
 */
public final class SimulatedKeeper {

	private SimulatedKeeper() {
	}

	/**
	 * Creates a keeper with simulated dependencies.
	 */
	public static LeaseKeeper create(WorkerLeaseStore store, SavedLeaseStore stateFile, SnowflakeLanes lanes,
			LeaseSettings settings, ScheduledExecutorService storeThread, ScheduledExecutorService localThread,
			LongConsumer pause, RandomGenerator random) {
		return new LeaseKeeper(store, stateFile, lanes, settings, new LeaseThreads(storeThread, localThread, pause),
				random);
	}

}
