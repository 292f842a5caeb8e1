// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTests {

	private final Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

	@Test
	void delay_doublesUpToTheMaximumWithJitter() {
		Random random = new Random(7);
		long[] limits = { 50, 100, 200, 400, 800, 1600, 2000, 2000 };
		for (int failures = 1; failures <= limits.length; failures++) {
			for (int i = 0; i < 1000; i++) {
				assertThat(this.backoff.delay(failures, random)).isBetween(Duration.ofMillis(limits[failures - 1] / 2),
						Duration.ofMillis(limits[failures - 1]));
			}
		}
	}

	@Test
	void delay_staysAtTheMaximumAfterAnyNumberOfFailures() {
		assertThat(this.backoff.delay(Integer.MAX_VALUE, new Random(7))).isBetween(Duration.ofSeconds(1),
				Duration.ofSeconds(2));
	}

}
