// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Spread}.
 */
class SpreadTests {

	@Test
	void theMedianOfAnOddNumberIsTheMiddleOne() {
		assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
	}

	@Test
	void theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
		assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(3, 1, 9));
	}

	@Test
	void nothingHasNoSpread() {
		assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
	}

	@Test
	void ratiosAreThoseOfTheSameRound() {
		assertThat(Spread.ratios(List.of(10.0, 30.0), List.of(20.0, 10.0))).containsExactly(0.5, 3.0);
	}

	@Test
	void aRoundInWhichOneFailedHasNoRatio() {
		assertThat(Spread.ratios(List.of(10.0, Double.NaN, 8.0), List.of(Double.NaN, 1.0, 4.0))).containsExactly(2.0);
	}

	@Test
	void withoutABaselineThereAreNoRatios() {
		assertThat(Spread.ratios(List.of(10.0), List.of())).isEmpty();
	}

	@Test
	void numbersLookTheSameEverywhere() {
		assertThat(Spread.number(1234567.891, 2)).isEqualTo("1,234,567.89");
		assertThat(new Spread(2, 1, 3).ends(1)).isEqualTo("1.0 – 3.0");
	}

}
