// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StepPolicyTests {

	private final StepPolicy policy = new StepPolicy(Duration.ofMinutes(15), 1_000_000);

	@ParameterizedTest(name = "step {0}, {1} issued in {2}, row {3}: {4}")
	@CsvSource({ "1000,    1000,  PT1S,     1000,    16000", // growth is bounded
			"16000,   1000,  PT1S,     1000,    256000", // growth is bounded again
			"256000,  1000,  PT1S,     1000,    900000", // up to the rate, 900,000
			"900000,  1000,  PT1S,     1000,    900000", // unchanged at the rate
			"900000,  2000,  PT1S,     1000,    1000000", // the maximum
			"1000,    100,   PT0.005S, 1000,    16000", // at the first mark
			"1000,    1000,  PT10M,    1000,    1500", // a little too small
			"1000,    1000,  PT15M,    1000,    1000", // lasts for the target
			"4000,    4000,  PT30M,    1000,    4000", // twice the target
			"4000,    4000,  PT30M1S,  1000,    2000", // more than twice the target
			"1000,    1000,  PT1H,     1000,    1000", // not below the row's step
			"1500,    1500,  PT1H,     1000,    1000", // not even by halving
			"4000,    0,     PT1H,     1000,    2000", // nothing issued
			"1000,    9,     PT0S,     1000,    1000", // no time has passed
			"3000000, 50000, PT1S,     3000000, 3000000", // the row's step exceeds the
															// maximum
			"3000000, 50000, PT1S,     1000,    1000000", // the row's step no longer
															// exceeds it
			"9223372036854775807, 9223372036854775807, PT1S, 1, 1000000" })
	void next(long step, long issued, Duration elapsed, long rowStep, long expected) {
		assertThat(this.policy.next(step, issued, elapsed, rowStep)).isEqualTo(expected);
	}

}
