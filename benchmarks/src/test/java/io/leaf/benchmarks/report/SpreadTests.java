/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
