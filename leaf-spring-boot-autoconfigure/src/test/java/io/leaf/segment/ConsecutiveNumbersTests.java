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

import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConsecutiveNumbersTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 1000, 1023, 1024, 1025, 5000 })
	void of_hasAsManyAsAskedFor(int count) {
		assertThat(ConsecutiveNumbers.of(77, count)).containsExactly(LongStream.range(77, 77 + count).toArray());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 1000, 1023, 1024, 1025, 2048, 5000 })
	void put_setsTheElementsAskedForAndNoOthers(int count) {
		long[] numbers = new long[count + 5];
		ConsecutiveNumbers.put(numbers, 3, count, 1L << 40);
		assertThat(LongStream.of(numbers).skip(3).limit(count))
			.containsExactlyElementsOf(LongStream.range(1L << 40, (1L << 40) + count).boxed().toList());
		assertThat(numbers[0] + numbers[1] + numbers[2] + numbers[count + 3] + numbers[count + 4]).isZero();
	}

}
