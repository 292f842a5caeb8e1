// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a failed fetch is tried again: doubling from {@code first} to
 * {@code max}, of which a random half to whole is taken so that processes which failed
 * together do not come back together.
 *
 * @param first the longest wait after the first failure
 * @param max the longest wait of all
 */
record Backoff(Duration first, Duration max) {

	static final Backoff DEFAULT = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

	/**
	 * Returns the wait after a number of failures.
	 * @param failures how many attempts in a row have failed, at least 1
	 * @param random the source of the jitter
	 * @return how long to wait
	 */
	Duration delay(int failures, RandomGenerator random) {
		int doublings = Math.min(failures - 1, 30);
		long limit = Math.min(this.max.toNanos(), this.first.toNanos() << doublings);
		return Duration.ofNanos(limit / 2 + random.nextLong(limit / 2 + 1));
	}

}
