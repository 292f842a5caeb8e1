// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallTimes}.
 */
class CallTimesTests {

	private final CallTimes times = new CallTimes();

	@Test
	void callIsLateAfterMoreThanTenMilliseconds() {
		this.times.add(TimeUnit.MILLISECONDS.toNanos(10), false);
		assertThat(this.times.latePercent()).isZero();
		this.times.add(TimeUnit.MILLISECONDS.toNanos(10) + 1, false);
		assertThat(this.times.latePercent()).isEqualTo(50);
	}

	@Test
	void longestTimeIsThatOfTheSlowestCall() {
		this.times.add(10, false);
		this.times.add(TimeUnit.MILLISECONDS.toNanos(1500), true);
		this.times.add(20, false);
		assertThat(this.times.longestSeconds()).isEqualTo(1.5);
		assertThat(this.times.failed()).isEqualTo(1);
	}

	@Test
	void callThatReturnsAfterTheAcquireTimeoutCountsAsFailed() {
		this.times.add(TimeUnit.SECONDS.toNanos(2), false);
		assertThat(this.times.failed()).isZero();
		this.times.add(TimeUnit.SECONDS.toNanos(2) + 1, false);
		assertThat(this.times.failed()).isEqualTo(1);
	}

	@Test
	void callsThatWereNotMadeCountAsLateAndFailed() {
		this.times.add(10, false);
		this.times.addMissed(3);
		assertThat(this.times.calls()).isEqualTo(4);
		assertThat(this.times.latePercent()).isEqualTo(75);
		assertThat(this.times.failed()).isEqualTo(3);
	}

	@Test
	void callsOfSeveralKeysAreAddedUp() {
		CallTimes other = new CallTimes();
		other.add(TimeUnit.SECONDS.toNanos(2), true);
		this.times.add(10, false);
		this.times.add(TimeUnit.SECONDS.toNanos(1), false);
		CallTimes sum = CallTimes.sum(List.of(other, this.times, new CallTimes()));
		assertThat(sum.calls()).isEqualTo(3);
		assertThat(sum.latePercent()).isEqualTo(200.0 / 3);
		assertThat(sum.failed()).isEqualTo(1);
		assertThat(sum.longestSeconds()).isEqualTo(2);
	}

	@Test
	void percentageOfNoCallsIsZero() {
		assertThat(CallTimes.sum(List.of()).latePercent()).isZero();
	}

}
