// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link NumberCase}.
 */
class NumberCaseTests {

	private static final Duration TIME = Duration.ofMillis(500);

	private final NumberCase numberCase = new NumberCase("MySQL 8.0.33", 64);

	private void round(int globalKey, int autoIncrement, int meituanLeaf) {
		add(NumberSource.GLOBAL_KEY, globalKey);
		add(NumberSource.AUTO_INCREMENT, autoIncrement);
		add(NumberSource.MEITUAN_LEAF, meituanLeaf);
	}

	private void add(NumberSource source, int calls) {
		Histogram latencies = new Histogram(3);
		for (int call = 1; call <= calls; call++) {
			latencies.recordValue(TimeUnit.MILLISECONDS.toNanos(call));
		}
		this.numberCase.add(source, latencies, TIME);
	}

	@Test
	void rowsShowMediansAndTheRatiosWithinARound() {
		round(100, 20, 10);
		round(200, 40, 20);
		round(300, 90, 100);
		this.numberCase.check(NumberSource.AUTO_INCREMENT, new long[] { 1, 2 });
		assertThat(this.numberCase.rows()).allSatisfy((row) -> assertThat(row).hasSameSizeAs(NumberCase.COLUMNS));
		assertThat(this.numberCase.rows().get(1)).containsExactly("MySQL 8.0.33", "64", "insert with `AUTO_INCREMENT`",
				"80", "40 – 180", "2.00", "0.90 – 2.00", "20.00", "10.00 – 45.02", "40.01", "20.00 – 90.05", "2",
				"no gap, no duplicate");
	}

	@Test
	void numbersOfLaterChecksContinueThoseOfTheSameSource() {
		assertThatNoException().isThrownBy(() -> {
			this.numberCase.check(NumberSource.GLOBAL_KEY, new long[] { 3, 1, 2 });
			this.numberCase.check(NumberSource.GLOBAL_KEY, new long[] { 5, 4 });
			this.numberCase.check(NumberSource.AUTO_INCREMENT, new long[] { 1 });
		});
	}

	@Test
	void gapIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.numberCase.check(NumberSource.GLOBAL_KEY, new long[] { 1, 2, 4 }))
			.withMessage("GLOBAL_KEY, 64 callers: number 4 follows number 2");
	}

	@Test
	void duplicateIsRefused() {
		this.numberCase.check(NumberSource.GLOBAL_KEY, new long[] { 1, 2 });
		assertThatIllegalStateException()
			.isThrownBy(() -> this.numberCase.check(NumberSource.GLOBAL_KEY, new long[] { 2, 3 }))
			.withMessage("GLOBAL_KEY, 64 callers: number 2 follows number 2");
	}

	@Test
	void libraryIsRequiredToDrawFourTimesAsManyNumbers() {
		round(39, 10, 10);
		assertThat(this.numberCase.requirement().isMet()).isFalse();
		round(40, 10, 10);
		round(40, 10, 10);
		assertThat(this.numberCase.requirement().isMet()).isTrue();
		assertThat(this.numberCase.requirement().work()).isEqualTo(
				"numbers per second with `global` ordering compared with the [transaction of Meituan's Leaf](#segments-per-second) with step 1, MySQL");
	}

}
