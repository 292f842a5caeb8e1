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
 * Tests for {@link Pacer}, on a clock that stands still unless it is moved.
 */
class PacerTests {

	// close to its end, as System.nanoTime() may be
	private static final long FROM = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);

	private final AtomicLong time = new AtomicLong(FROM);

	private final AtomicLong ids = new AtomicLong();

	private final Pacer pacer = new Pacer(1000, this.time::get, this.time::addAndGet);

	private Arrivals run(LongSupplier ids, long seconds) {
		return this.pacer.run(ids, FROM, TimeUnit.SECONDS.toNanos(seconds));
	}

	private void pass(long millis) {
		this.time.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	@Test
	void callsAreMadeWhenTheyAreDue() {
		List<Long> times = new ArrayList<>();
		Arrivals arrivals = this.pacer.run(() -> {
			times.add(TimeUnit.NANOSECONDS.toMillis(this.time.get() - FROM));
			return this.ids.incrementAndGet();
		}, FROM, TimeUnit.MILLISECONDS.toNanos(4));
		assertThat(times).containsExactly(0L, 1L, 2L, 3L);
		assertThat(arrivals.calls()).isEqualTo(4);
		assertThat(arrivals.longestSeconds()).isZero();
	}

	@Test
	void callsBehindOneThatWaitsAreLateAsWell() {
		Arrivals arrivals = run(() -> {
			long id = this.ids.incrementAndGet();
			if (id == 101) {
				pass(100);
			}
			return id;
		}, 1);
		assertThat(arrivals.calls()).isEqualTo(1000);
		// it is the first of those due in 100 ms; the last 10 of them are in time
		assertThat(arrivals.latePercent()).isEqualTo(9);
		assertThat(arrivals.longestSeconds()).isEqualTo(0.1);
	}

	@Test
	void aCallThatFailsIsCountedAndTheNextIsMade() {
		Arrivals arrivals = run(() -> {
			if (this.ids.incrementAndGet() == 5) {
				pass(2000);
				throw new SegmentUnavailableException("order", "none", null);
			}
			return this.ids.get();
		}, 1);
		assertThat(arrivals.calls()).isEqualTo(1000);
		// the others were due after it
		assertThat(arrivals.failed()).isEqualTo(1);
		assertThat(arrivals.longestSeconds()).isEqualTo(2);
	}

	@Test
	void whatIsNotReachedLongAfterTheEndIsGivenUp() {
		Arrivals arrivals = run(() -> {
			pass(2000);
			throw new SegmentUnavailableException("order", "none", null);
		}, 1);
		assertThat(arrivals.calls()).isEqualTo(1000);
		assertThat(arrivals.failed()).isEqualTo(1000);
		assertThat(arrivals.latePercent()).isEqualTo(100);
		assertThat(arrivals.longestSeconds()).isGreaterThanOrEqualTo(6);
	}

	@Test
	void anIdThatIsNotLargerThanTheOneBeforeEndsTheRun() {
		assertThatIllegalStateException().isThrownBy(() -> run(() -> 7, 1)).withMessage("7 after 7");
	}

}
