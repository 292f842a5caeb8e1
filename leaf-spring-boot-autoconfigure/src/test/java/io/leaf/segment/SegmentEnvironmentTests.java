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

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of how callers wait.
 */
class SegmentEnvironmentTests {

	@Test
	void aCallerWhomNobodyWakesLooksByItself() throws InterruptedException {
		NotWoken latch = new NotWoken(3);
		assertThat(SegmentEnvironment.park(latch, Duration.ofDays(1).toNanos())).isTrue();
		assertThat(latch.waits).isEqualTo(3);
		assertThat(latch.longest).isEqualTo(Duration.ofSeconds(1).toNanos());
	}

	@Test
	void aCallerWaitsForNoLongerThanItsTime() throws InterruptedException {
		NotWoken latch = new NotWoken(Integer.MAX_VALUE);
		assertThat(SegmentEnvironment.park(latch, Duration.ofMillis(1).toNanos())).isFalse();
		assertThat(latch.longest).isEqualTo(Duration.ofMillis(1).toNanos());
		NotWoken late = new NotWoken(1);
		assertThat(SegmentEnvironment.park(late, 0)).isFalse();
		assertThat(late.waits).isZero();
	}

	/**
	 * A latch that wakes nobody, and that a caller finds open when it has looked for a
	 * number of times.
	 */
	private static final class NotWoken extends CountDownLatch {

		private final int looks;

		private int waits;

		private long longest;

		NotWoken(int looks) {
			super(1);
			this.looks = looks;
		}

		@Override
		public boolean await(long timeout, TimeUnit unit) {
			this.longest = Math.max(this.longest, unit.toNanos(timeout));
			if (++this.waits < this.looks) {
				return false;
			}
			countDown();
			return true;
		}

	}

}
