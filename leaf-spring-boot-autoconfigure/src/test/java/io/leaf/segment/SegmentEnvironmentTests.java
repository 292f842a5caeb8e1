// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how callers wait, and the delays between attempts.
 */
class SegmentEnvironmentTests {

	@Test
	void aCallerThatIsNotWokenChecksTheLatchItself() throws InterruptedException {
		NotWoken latch = new NotWoken(3);
		assertThat(SegmentEnvironment.park(latch, Duration.ofDays(1).toNanos())).isTrue();
		assertThat(latch.waits).isEqualTo(3);
		assertThat(latch.longest).isEqualTo(Duration.ofSeconds(1).toNanos());
	}

	@Test
	void aCallerWaitsNoLongerThanItsTimeout() throws InterruptedException {
		NotWoken latch = new NotWoken(Integer.MAX_VALUE);
		assertThat(SegmentEnvironment.park(latch, Duration.ofMillis(1).toNanos())).isFalse();
		assertThat(latch.longest).isEqualTo(Duration.ofMillis(1).toNanos());
		NotWoken late = new NotWoken(1);
		assertThat(SegmentEnvironment.park(late, 0)).isFalse();
		assertThat(late.waits).isZero();
	}

	@Test
	void backoff_doublesUpToTheMaximumWithJitter() {
		SegmentEnvironment environment = new SegmentFixture().environment();
		long[] limits = { 50, 100, 200, 400, 500, 500 };
		for (int failures = 1; failures <= limits.length; failures++) {
			for (int i = 0; i < 1000; i++) {
				assertThat(environment.backoff(failures)).isBetween(Duration.ofMillis(limits[failures - 1] / 2),
						Duration.ofMillis(limits[failures - 1]));
			}
		}
	}

	@Test
	void backoff_staysAtTheMaximumAfterAnyNumberOfFailures() {
		assertThat(new SegmentFixture().environment().backoff(Integer.MAX_VALUE)).isBetween(Duration.ofMillis(250),
				Duration.ofMillis(500));
	}

	/**
	 * A latch that wakes no caller, and is open once a caller has checked it a number of
	 * times.
	 */
	private static final class NotWoken extends CountDownLatch {

		private final int checks;

		private int waits;

		private long longest;

		NotWoken(int checks) {
			super(1);
			this.checks = checks;
		}

		@Override
		public boolean await(long timeout, TimeUnit unit) {
			this.longest = Math.max(this.longest, unit.toNanos(timeout));
			if (++this.waits < this.checks) {
				return false;
			}
			countDown();
			return true;
		}

	}

}
