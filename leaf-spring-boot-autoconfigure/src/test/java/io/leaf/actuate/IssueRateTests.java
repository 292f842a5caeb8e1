// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;

import io.leaf.actuate.MeasuredKeys.IssueRate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IssueRateTests {

	private long nanos = 5;

	private final IssueRate rate = new IssueRate(this.nanos, 100);

	private double after(long seconds, long issued, long remaining) {
		this.nanos += Duration.ofSeconds(seconds).toNanos();
		return this.rate.secondsLeft(this.nanos, issued, remaining);
	}

	@Test
	void secondsLeftAreTheRemainingNumbersDividedByTheRate() {
		assertThat(after(10, 1100, 500)).isEqualTo(5);
	}

	@Test
	void infiniteIfNothingIsIssued() {
		assertThat(after(0, 100, 500)).isInfinite();
		assertThat(after(10, 100, 500)).isInfinite();
		assertThat(after(10, 100, 0)).isInfinite();
	}

	@Test
	void zeroIfNothingIsLeft() {
		assertThat(after(10, 200, 0)).isZero();
	}

	@Test
	void rateIsMeasuredOverAtLeastTheLastTenSeconds() {
		after(10, 10_100, 1);
		assertThat(after(10, 10_200, 100)).as("10 per second").isEqualTo(10);
		assertThat(after(1, 10_300, 100)).as("200 in 11 s").isEqualTo(5.5);
		assertThat(after(10, 10_400, 210)).as("200 in 11 s, since the second count").isEqualTo(210 * 11 / 200.0);
	}

}
