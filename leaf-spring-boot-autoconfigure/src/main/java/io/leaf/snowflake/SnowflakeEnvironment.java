// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.leaf.support.AsyncExecutor;
import io.leaf.support.AsyncThreads;

/**
 * The monotonic clock, the parking of threads, the random numbers and the executor that
 * {@link SnowflakeLanes} uses.
 *
 * @param nanoTime the monotonic clock, for timeouts
 * @param park makes the calling thread wait for up to the given number of nanoseconds, or
 * until it is unparked
 * @param random the source of the lanes' seeds, which determine the first sequence number
 * of each tick
 * @param async runs the asynchronous calls, whose callers do not wait
 */
record SnowflakeEnvironment(LongSupplier nanoTime, LongConsumer park, RandomGenerator random, AsyncExecutor async) {

	SnowflakeEnvironment(LongSupplier nanoTime, LongConsumer park, RandomGenerator random) {
		this(nanoTime, park, random, new AsyncThreads("leaf-snowflake-async"));
	}

	static SnowflakeEnvironment system() {
		return new SnowflakeEnvironment(System::nanoTime, LockSupport::parkNanos,
				() -> ThreadLocalRandom.current().nextLong());
	}

}
