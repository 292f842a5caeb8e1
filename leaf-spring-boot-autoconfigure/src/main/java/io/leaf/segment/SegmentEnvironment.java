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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What the segment classes need of the world around them.
 *
 * @param executor runs fetches, look-ups and the refresh; owned by the generator
 * @param clock the wall clock, for what is shown to people
 * @param nanoTime the monotonic clock, for everything that is measured
 * @param random the source of jitter
 */
record SegmentEnvironment(ScheduledExecutorService executor, InstantSource clock, LongSupplier nanoTime,
		RandomGenerator random) {

	/**
	 * As many as the private pool has connections: further threads would only wait there.
	 */
	private static final int THREADS = 2;

	static SegmentEnvironment system() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS, daemonThreads());
		executor.setRemoveOnCancelPolicy(true);
		executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
		// not in a caller, in the middle of its request
		executor.prestartAllCoreThreads();
		return new SegmentEnvironment(executor, InstantSource.system(), System::nanoTime,
				() -> ThreadLocalRandom.current().nextLong());
	}

	private static ThreadFactory daemonThreads() {
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			// the caller who happens to start it must not pass its inheritable
			// thread-locals on
			Thread thread = new Thread(null, task, "leaf-segment-" + number.incrementAndGet(), 0, false);
			thread.setDaemon(true);
			return thread;
		};
	}

}
