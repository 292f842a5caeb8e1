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
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What keeping leases needs of the world around it.
 *
 * @param storeExecutor runs what waits for the store, on one thread; owned by the keeper
 * @param localExecutor runs what must not wait for the store, on one thread; owned by the
 * keeper
 * @param nanoTime the monotonic clock
 * @param random where the names of claims come from
 */
record LeaseEnvironment(ScheduledExecutorService storeExecutor, ScheduledExecutorService localExecutor,
		LongSupplier nanoTime, RandomGenerator random) {

	static LeaseEnvironment system() {
		return new LeaseEnvironment(executor("leaf-lease-store"), executor("leaf-lease-clock"), System::nanoTime,
				() -> ThreadLocalRandom.current().nextLong());
	}

	private static ScheduledExecutorService executor(String threadName) {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			// whoever starts it must not pass its inheritable thread-locals on
			Thread thread = new Thread(null, task, threadName, 0, false);
			thread.setDaemon(true);
			return thread;
		});
		executor.setRemoveOnCancelPolicy(true);
		executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
		return executor;
	}

}
