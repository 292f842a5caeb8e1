// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contract of every {@link IdGenerator}.
 */
public abstract class IdGeneratorContract {

	/**
	 * Returns the generator, which is the same for all calls in a test. It knows the key
	 * {@code order}.
	 */
	protected abstract IdGenerator generator();

	@Test
	void aNullKeyIsRefused() {
		String message = "A key must have 1 to 128 characters: was null";
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().nextId(null))
			.withMessage(message);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().nextIds(null, 1))
			.withMessage(message);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().sequence(null))
			.withMessage(message);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().nextText(null))
			.withMessage(message);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 129 })
	void aKeyHasOneTo128Characters(int length) {
		String key = "x".repeat(length);
		String message = "has " + length;
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().nextId(key))
			.withMessageContaining(message);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().nextIds(key, 1))
			.withMessageContaining(message);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().sequence(key))
			.withMessageContaining(message);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().nextText(key))
			.withMessageContaining(message);
	}

	@Test
	void theTextOfAKeyWithoutAFormatIsDecimal() {
		long before = generator().nextId("order");
		assertThat(generator().nextText("order")).containsOnlyDigits();
		assertThat(Long.parseLong(generator().nextText("order"))).isGreaterThan(before);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, IdGenerator.MAX_COUNT + 1 })
	void aCountIsFromOneToAMillion(int count) {
		String message = "A count must be from 1 to 1000000: was " + count;
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator().nextIds("order", count))
			.withMessage(message);
		IdSequence sequence = generator().sequence("order");
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> sequence.nextIds(count))
			.withMessage(message);
	}

	@Test
	void idsAscendHoweverTheyAreDrawn() {
		IdSequence sequence = generator().sequence("order");
		long[] ids = LongStream.of(generator().nextId("order"), sequence.nextId(), sequence.getAsLong()).toArray();
		long[] more = LongStream
			.concat(LongStream.of(generator().nextIds("order", 3)), LongStream.of(sequence.nextIds(2)))
			.toArray();
		long[] all = LongStream.concat(LongStream.of(ids), LongStream.of(more)).toArray();
		assertThat(all).hasSize(8).isSorted().doesNotHaveDuplicates();
		assertThat(all[0]).isNotNegative();
	}

	@Test
	void aSequenceKnowsItsKey() {
		assertThat(generator().sequence("order").key()).isEqualTo("order");
		assertThat(generator().sequence("unknown").key()).isEqualTo("unknown");
	}

	@Test
	void threadsGetDifferentIds() {
		IdSequence sequence = generator().sequence("order");
		assertThat(IntStream.range(0, 4)
			.mapToObj((thread) -> CompletableFuture
				.supplyAsync(() -> LongStream.range(0, 1000).map((i) -> sequence.nextId()).toArray()))
			.toList()
			.stream()
			.flatMapToLong((ids) -> LongStream.of(ids.join()))
			.distinct()
			.count()).isEqualTo(4000);
	}

}
