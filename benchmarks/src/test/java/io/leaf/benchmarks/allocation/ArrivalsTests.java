// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Arrivals}.
 */
class ArrivalsTests {

	private final Arrivals arrivals = new Arrivals();

	@Test
	void aCallIsLateAfterMoreThanTenMilliseconds() {
		this.arrivals.add(TimeUnit.MILLISECONDS.toNanos(10), false);
		assertThat(this.arrivals.latePercent()).isZero();
		this.arrivals.add(TimeUnit.MILLISECONDS.toNanos(10) + 1, false);
		assertThat(this.arrivals.latePercent()).isEqualTo(50);
	}

	@Test
	void theSlowestCallCountsWhereverItStands() {
		this.arrivals.add(10, false);
		this.arrivals.add(TimeUnit.MILLISECONDS.toNanos(1500), true);
		this.arrivals.add(20, false);
		assertThat(this.arrivals.longestSeconds()).isEqualTo(1.5);
		assertThat(this.arrivals.failed()).isEqualTo(1);
	}

	@Test
	void aCallThatReturnsAfterTheAcquireTimeoutHasFailed() {
		this.arrivals.add(TimeUnit.SECONDS.toNanos(2), false);
		assertThat(this.arrivals.failed()).isZero();
		this.arrivals.add(TimeUnit.SECONDS.toNanos(2) + 1, false);
		assertThat(this.arrivals.failed()).isEqualTo(1);
	}

	@Test
	void callsThatWereNotMadeAreLateAndFailed() {
		this.arrivals.add(10, false);
		this.arrivals.addMissed(3);
		assertThat(this.arrivals.calls()).isEqualTo(4);
		assertThat(this.arrivals.latePercent()).isEqualTo(75);
		assertThat(this.arrivals.failed()).isEqualTo(3);
	}

	@Test
	void keysAreAddedUp() {
		Arrivals other = new Arrivals();
		other.add(TimeUnit.SECONDS.toNanos(2), true);
		this.arrivals.add(10, false);
		this.arrivals.add(TimeUnit.SECONDS.toNanos(1), false);
		Arrivals sum = Arrivals.sum(List.of(other, this.arrivals, new Arrivals()));
		assertThat(sum.calls()).isEqualTo(3);
		assertThat(sum.latePercent()).isEqualTo(200.0 / 3);
		assertThat(sum.failed()).isEqualTo(1);
		assertThat(sum.longestSeconds()).isEqualTo(2);
	}

	@Test
	void ofNoCallsNoneIsLate() {
		assertThat(Arrivals.sum(List.of()).latePercent()).isZero();
	}

}
