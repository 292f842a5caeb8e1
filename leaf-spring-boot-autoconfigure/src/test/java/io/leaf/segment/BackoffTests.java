// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Random;

import io.leaf.ManualScheduler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the delays between attempts.
 */
class BackoffTests {

	private final ManualScheduler scheduler = new ManualScheduler();

	private final SegmentEnvironment environment = new SegmentEnvironment(this.scheduler, () -> SegmentFixture.NOW,
			this.scheduler::nanoTime, SegmentEnvironment::park, new Random(7));

	@Test
	void delay_doublesUpToTheMaximumWithJitter() {
		long[] limits = { 50, 100, 200, 400, 800, 1600, 2000, 2000 };
		for (int failures = 1; failures <= limits.length; failures++) {
			for (int i = 0; i < 1000; i++) {
				assertThat(this.environment.backoff(failures)).isBetween(Duration.ofMillis(limits[failures - 1] / 2),
						Duration.ofMillis(limits[failures - 1]));
			}
		}
	}

	@Test
	void delay_staysAtTheMaximumAfterAnyNumberOfFailures() {
		assertThat(this.environment.backoff(Integer.MAX_VALUE)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
	}

}
