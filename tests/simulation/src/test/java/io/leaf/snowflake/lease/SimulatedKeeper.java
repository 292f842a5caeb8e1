// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

import io.leaf.snowflake.SnowflakeLanes;

/**
 * Lets a simulation create keepers.
 */
public final class SimulatedKeeper {

	private SimulatedKeeper() {
	}

	/**
	 * Creates a keeper in a world of its own.
	 */
	public static LeaseKeeper create(WorkerLeaseStore store, LeaseMemory memory, SnowflakeLanes lanes,
			LeaseSettings settings, ScheduledExecutorService storeThread, ScheduledExecutorService localThread,
			LongConsumer pause, RandomGenerator random) {
		return new LeaseKeeper(store, memory, lanes, settings, new LeaseThreads(storeThread, localThread, pause),
				random);
	}

}
