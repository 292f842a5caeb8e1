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

package io.leaf.segment;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StepPolicyTests {

	private final StepPolicy policy = new StepPolicy(Duration.ofMinutes(15), 1_000_000);

	@ParameterizedTest(name = "step {0} lasted {1}, row {2}: {3}")
	@CsvSource({ "1000,    PT14M59.999S, 1000,    2000", // below the target
			"1000,    PT15M,        1000,    1000", // at the target
			"4000,    PT30M,        1000,    4000", // at twice the target
			"4000,    PT30M0.001S,  1000,    2000", // beyond it
			"1000,    PT1H,         1000,    1000", // not below the row's
			"1500,    PT1H,         1000,    1000", // not even by halving
			"500000,  PT1M,         1000,    1000000", // up to the maximum
			"700000,  PT1M,         1000,    1000000", // exactly, not the power of two
														// below
			"1000000, PT1M,         1000,    1000000", // and no further
			"3000000, PT1M,         3000000, 3000000", // unless the row says so
			"3000000, PT20M,        3000000, 3000000", "3000000, PT20M,        1000,    1000000",
			"9223372036854775807, PT1M, 1, 1000000" })
	void next(long step, Duration lasted, long rowStep, long expected) {
		assertThat(this.policy.next(step, lasted, rowStep)).isEqualTo(expected);
	}

}
