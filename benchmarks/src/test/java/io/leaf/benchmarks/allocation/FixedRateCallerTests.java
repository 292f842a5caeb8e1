// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.leaf.SegmentUnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link FixedRateCaller} with a clock that only the test advances.
 */
class FixedRateCallerTests {

	// close to an overflow, as values of System.nanoTime() can be
	private static final long FROM = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);

	private final AtomicLong time = new AtomicLong(FROM);

	private final AtomicLong ids = new AtomicLong();

	private final FixedRateCaller caller = new FixedRateCaller(1000, this.time::get, this.time::addAndGet);

	private CallTimes run(LongSupplier ids, long seconds) {
		return this.caller.run(ids, FROM, TimeUnit.SECONDS.toNanos(seconds));
	}

	private void advance(long millis) {
		this.time.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	@Test
	void callsAreMadeWhenTheyAreDue() {
		List<Long> times = new ArrayList<>();
		CallTimes calls = this.caller.run(() -> {
			times.add(TimeUnit.NANOSECONDS.toMillis(this.time.get() - FROM));
			return this.ids.incrementAndGet();
		}, FROM, TimeUnit.MILLISECONDS.toNanos(4));
		assertThat(times).containsExactly(0L, 1L, 2L, 3L);
		assertThat(calls.calls()).isEqualTo(4);
		assertThat(calls.longestSeconds()).isZero();
	}

	@Test
	void callThatWaitsDelaysTheNextCalls() {
		CallTimes calls = run(() -> {
			long id = this.ids.incrementAndGet();
			if (id == 101) {
				advance(100);
			}
			return id;
		}, 1);
		assertThat(calls.calls()).isEqualTo(1000);
		// 100 calls are due during the wait; the last 10 of them return within 10 ms
		assertThat(calls.latePercent()).isEqualTo(9);
		assertThat(calls.longestSeconds()).isEqualTo(0.1);
	}

	@Test
	void failedCallIsCountedAndTheNextCallIsMade() {
		CallTimes calls = run(() -> {
			if (this.ids.incrementAndGet() == 5) {
				advance(2000);
				throw new SegmentUnavailableException("order", "none", null);
			}
			return this.ids.get();
		}, 1);
		assertThat(calls.calls()).isEqualTo(1000);
		// the other calls were due later and are not beyond the timeout
		assertThat(calls.failed()).isEqualTo(1);
		assertThat(calls.longestSeconds()).isEqualTo(2);
	}

	@Test
	void callsThatWereNotMadeLongAfterTheEndCountAsFailed() {
		CallTimes calls = run(() -> {
			advance(2000);
			throw new SegmentUnavailableException("order", "none", null);
		}, 1);
		assertThat(calls.calls()).isEqualTo(1000);
		assertThat(calls.failed()).isEqualTo(1000);
		assertThat(calls.latePercent()).isEqualTo(100);
		assertThat(calls.longestSeconds()).isGreaterThanOrEqualTo(6);
	}

	@Test
	void idThatIsNotLargerThanThePreviousOneIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> run(() -> 7, 1)).withMessage("ID 7 was issued after ID 7");
	}

}
