// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConsecutiveNumbersTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 1000, 1023, 1024, 1025, 5000 })
	void of_returnsTheRequestedCount(int count) {
		assertThat(ConsecutiveNumbers.of(77, count)).containsExactly(LongStream.range(77, 77 + count).toArray());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 1000, 1023, 1024, 1025, 2048, 5000 })
	void put_setsOnlyTheRequestedElements(int count) {
		long[] numbers = new long[count + 5];
		ConsecutiveNumbers.put(numbers, 3, count, 1L << 40);
		assertThat(LongStream.of(numbers).skip(3).limit(count))
			.containsExactlyElementsOf(LongStream.range(1L << 40, (1L << 40) + count).boxed().toList());
		assertThat(numbers[0] + numbers[1] + numbers[2] + numbers[count + 3] + numbers[count + 4]).isZero();
	}

}
