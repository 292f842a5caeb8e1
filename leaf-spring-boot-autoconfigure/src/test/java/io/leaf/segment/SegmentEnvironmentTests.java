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
		assertThat(SegmentEnvironment.park(latch, Duration.ofSeconds(10).toNanos())).isTrue();
		assertThat(latch.waits).isEqualTo(3);
	}

	@Test
	void aCallerWaitsForNoLongerThanItsTime() throws InterruptedException {
		NotWoken latch = new NotWoken(Integer.MAX_VALUE);
		assertThat(SegmentEnvironment.park(latch, Duration.ofMillis(250).toNanos())).isFalse();
		assertThat(latch.waited).isEqualTo(Duration.ofMillis(250).toNanos());
		assertThat(SegmentEnvironment.park(latch, 0)).isFalse();
		assertThat(latch.waits).isEqualTo(3);
	}

	/**
	 * A latch that a caller finds open only when it looks for the given time.
	 */
	private static final class NotWoken extends CountDownLatch {

		private final int seen;

		private int waits;

		private long waited;

		NotWoken(int seen) {
			super(1);
			this.seen = seen;
		}

		@Override
		public boolean await(long timeout, TimeUnit unit) {
			this.waits++;
			this.waited += unit.toNanos(timeout);
			return this.waits >= this.seen;
		}

	}

}
