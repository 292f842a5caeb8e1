// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MaskedNumbersTests {

	private static final IdSecret SECRET = IdSecret.of("1:correct horse battery staple");

	// computed by a separate program, in Python with its hmac module
	@ParameterizedTest
	@CsvSource({ "order, 63, 0, 6171045523367839817", "order, 63, 1, 1946478156549783439",
			"order, 63, 2, 6596863209692814657", "order, 63, 1000, 7222499320610693283",
			"order, 63, 1099511627776, 6639569803240601122", "order, 63, 9223372036854775807, 7735618244639069427",
			"order, 62, 1, 4117688656258779568", "order, 40, 0, 1085341634210", "order, 40, 1, 1010682596721",
			"order, 40, 1099511627775, 625920997169", "order, 20, 0, 638230", "order, 20, 1, 192616",
			"order, 20, 1048575, 328465", "order, 21, 0, 230050", "order, 21, 1, 257536", "order, 21, 2097151, 218471",
			"payment, 63, 1, 5098659763431478275", "订单, 63, 1, 6822961247823420603" })
	void mask_followsTheTestVectors(String key, int bits, long number, long masked) {
		MaskedNumbers numbers = new MaskedNumbers(SECRET, key, bits);
		assertThat(numbers.mask(number)).isEqualTo(masked);
		assertThat(numbers.unmask(masked)).isEqualTo(number);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 7, 8, 9, 12, 13 })
	void mask_isAPermutation(int bits) {
		MaskedNumbers numbers = new MaskedNumbers(SECRET, "order", bits);
		int size = 1 << bits;
		BitSet seen = new BitSet();
		for (int number = 0; number < size; number++) {
			long masked = numbers.mask(number);
			assertThat(masked).isBetween(0L, size - 1L);
			seen.set((int) masked);
			assertThat(numbers.unmask(masked)).isEqualTo(number);
		}
		assertThat(seen.cardinality()).isEqualTo(size);
	}

	@ParameterizedTest
	@ValueSource(ints = { 20, 21, 33, 40, 53, 62, 63 })
	void unmask_undoesMask(int bits) {
		MaskedNumbers numbers = new MaskedNumbers(SECRET, "order", bits);
		new Random(bits).longs(200).map((number) -> number >>> (Long.SIZE - bits)).forEach((number) -> {
			assertThat(numbers.mask(number) >>> bits).isZero();
			assertThat(numbers.unmask(numbers.mask(number))).isEqualTo(number);
			assertThat(numbers.mask(numbers.unmask(number))).isEqualTo(number);
		});
	}

	@Test
	void mask_dependsOnSecretKeyAndBits() {
		long masked = new MaskedNumbers(SECRET, "order", 62).mask(1);
		assertThat(new MaskedNumbers(IdSecret.of("1:correct horse battery stapler"), "order", 62).mask(1))
			.isNotEqualTo(masked);
		assertThat(new MaskedNumbers(SECRET, "order2", 62).mask(1)).isNotEqualTo(masked);
		assertThat(new MaskedNumbers(SECRET, "order", 61).mask(1)).isNotEqualTo(masked);
	}

	// Consecutive numbers, once masked, differ in as many bits as random numbers would:
	// half of 62, with a standard deviation of 0.13 for the mean of 1,000.
	@Test
	void mask_hidesTheRelationOfConsecutiveNumbers() {
		MaskedNumbers numbers = new MaskedNumbers(SECRET, "order", 62);
		double changed = IntStream.range(0, 1000)
			.mapToLong((number) -> numbers.mask(number) ^ numbers.mask(number + 1))
			.mapToInt(Long::bitCount)
			.average()
			.orElseThrow();
		assertThat(changed).isBetween(30.3, 31.7);
	}

	@Test
	void mask_isSafeForUseByManyThreads() {
		MaskedNumbers numbers = new MaskedNumbers(SECRET, "order", 63);
		assertThat(IntStream.range(0, 10_000)
			.parallel()
			.filter((number) -> numbers.unmask(numbers.mask(number)) != number)
			.count()).isZero();
	}

}
