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
