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
