// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Spread}.
 */
class SpreadTests {

	@Test
	void medianOfAnOddNumberOfValuesIsTheOneInTheMiddle() {
		Spread spread = Spread.of(List.of(9.0, 1.0, 2.0));
		assertThat(spread.median()).isEqualTo(2);
		assertThat(spread.sorted()).containsExactly(1.0, 2.0, 9.0);
	}

	@Test
	void medianOfAnEvenNumberOfValuesIsTheMeanOfTheTwoInTheMiddle() {
		Spread spread = Spread.of(List.of(4.0, 1.0, 2.0, 9.0));
		assertThat(spread.median()).isEqualTo(3);
		assertThat(spread.sorted()).containsExactly(1.0, 2.0, 4.0, 9.0);
	}

	@Test
	void quantileIsInterpolated() {
		Spread spread = Spread.of(List.of(20.0, 10.0, 40.0));
		assertThat(spread.quantile(0)).isEqualTo(10);
		assertThat(spread.quantile(0.25)).isEqualTo(15);
		assertThat(spread.quantile(0.75)).isEqualTo(30);
		assertThat(spread.quantile(1)).isEqualTo(40);
	}

	@Test
	void emptyListIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
	}

	@Test
	void ratiosCompareMeasurementsOfTheSameRound() {
		assertThat(Spread.ratios(List.of(10.0, 30.0), List.of(20.0, 10.0))).containsExactly(0.5, 3.0);
	}

	@Test
	void failedRoundHasNoRatio() {
		assertThat(Spread.ratios(List.of(10.0, Double.NaN, 8.0), List.of(Double.NaN, 1.0, 4.0))).containsExactly(2.0);
	}

	@Test
	void missingBaselineHasNoRatios() {
		assertThat(Spread.ratios(List.of(10.0), List.of())).isEmpty();
	}

	@Test
	void numbersAreFormattedIndependentlyOfTheLocale() {
		assertThat(Spread.format(1234567.891, 2)).isEqualTo("1,234,567.89");
		assertThat(Spread.of(List.of(2.0, 1.0, 3.0)).range(1)).isEqualTo("1.0 – 3.0");
	}

}
