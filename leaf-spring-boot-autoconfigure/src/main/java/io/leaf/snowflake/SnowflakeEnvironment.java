// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What issuing snowflake IDs needs of the world around it.
 *
 * @param nanoTime the monotonic clock, for timeouts
 * @param park lets the calling thread wait for up to that many nanoseconds, or until it
 * is unparked
 * @param random where the random starts of ticks come from
 */
record SnowflakeEnvironment(LongSupplier nanoTime, LongConsumer park, RandomGenerator random) {

	static SnowflakeEnvironment system() {
		return new SnowflakeEnvironment(System::nanoTime, LockSupport::parkNanos,
				() -> ThreadLocalRandom.current().nextLong());
	}

}
