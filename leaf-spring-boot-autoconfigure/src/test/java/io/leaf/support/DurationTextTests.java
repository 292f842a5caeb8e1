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

package io.leaf.support;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0 ms", "PT0.0009S, 0 ms", "PT0.1S, 100 ms", "PT1S, 1 s", "PT1.5S, 1.5 s", "PT19.998S, 19.998 s",
			"PT60S, 1 min", "PT90S, 90 s", "PT15M, 15 min", "PT90M, 90 min", "PT1H, 1 h", "PT24H, 1 d", "PT25H, 25 h",
			"P365D, 365 d", "PT-0.5S, -500 ms", "PT-1S, -1 s", "PT-1.5S, -1.5 s",
			"PT9223372036854775807S, 9223372036854775807 s", "PT-9223372036854775808S, -9223372036854775808 s" })
	void anyDuration(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

}
