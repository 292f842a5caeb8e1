// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contract of {@link IdSequence#nextIdAsync()}, on a manual clock.
 */
public abstract class NextIdAsyncContract {

	protected static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(2);

	/**
	 * Returns a sequence that can issue no ID until {@link #release()} is called.
	 */
	protected abstract IdSequence held();

	/**
	 * Lets the sequence issue IDs.
	 */
	protected abstract void release();

	/**
	 * Runs the tasks of the library that are due.
	 */
	protected abstract void settle();

	/**
	 * Moves the clock.
	 */
	protected abstract void advance(Duration duration);

	protected abstract void close();

	protected abstract ManualAsyncExecutor async();

	protected abstract IdGenerationException timedOut();

	protected abstract String closedMessage();

	protected static CompletableFuture<Long> call(IdSequence sequence) {
		return sequence.nextIdAsync().toCompletableFuture();
	}

	protected static ThrowableAssertAlternative<?> assertThatFailure(CompletableFuture<Long> call) {
		assertThat(call).isDone();
		return assertThatExceptionOfType(CompletionException.class).isThrownBy(call::join).havingCause();
	}

	/**
	 * Whether a call can be served immediately once another call has been served.
	 */
	protected boolean keepsNumbersInMemory() {
		return true;
	}

	@Test
	void completesWhenAnIdCanBeIssued() {
		IdSequence sequence = held();
		List<CompletableFuture<Long>> calls = Stream.generate(() -> call(sequence)).limit(3).toList();
		settle();
		advance(ACQUIRE_TIMEOUT.dividedBy(2));
		assertThat(calls).noneMatch(CompletableFuture::isDone);
		release();
		settle();
		assertThat(calls.stream().map((call) -> call.getNow(null))).doesNotHaveDuplicates().isSorted();
		assertThat(async().scheduled()).as("timeouts").isZero();
	}

	@Test
	void completesImmediatelyWhileNumbersAreInMemory() {
		IdSequence sequence = held();
		CompletableFuture<Long> first = call(sequence);
		release();
		settle();
		CompletableFuture<Long> second = call(sequence);
		assertThat(second.isDone()).isEqualTo(keepsNumbersInMemory());
		settle();
		assertThat(second.getNow(null)).isGreaterThan(first.getNow(null));
	}

	@Test
	void failsAfterTheAcquireTimeoutLikeACallThatWaits() {
		CompletableFuture<Long> call = call(held());
		settle();
		advance(ACQUIRE_TIMEOUT.minusMillis(1));
		assertThat(call).isNotDone();
		advance(Duration.ofMillis(1));
		IdGenerationException expected = timedOut();
		assertThatFailure(call).isExactlyInstanceOf(expected.getClass()).withMessage(expected.getMessage());
		release();
		settle();
	}

	@Test
	void closingFailsWaitingAndLaterCalls() {
		IdSequence sequence = held();
		CompletableFuture<Long> waiting = call(sequence);
		settle();
		CompletableFuture<Long> notBegun = call(sequence);
		close();
		CompletableFuture<Long> late = call(sequence);
		assertThat(List.of(waiting, notBegun, late)).allSatisfy((call) -> {
			assertThat(call).isDone();
			assertThatFailure(call).isInstanceOf(IdGenerationException.class).withMessageContaining(closedMessage());
		});
	}

	@Test
	void aCancelledCallTakesNoId() {
		IdSequence sequence = held();
		CompletableFuture<Long> cancelled = call(sequence);
		settle();
		CompletableFuture<Long> cancelledBefore = call(sequence);
		assertThat(cancelledBefore.cancel(true)).isTrue();
		CompletableFuture<Long> first = call(sequence);
		assertThat(cancelled.cancel(true)).isTrue();
		settle();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(cancelled::join);
		release();
		settle();
		CompletableFuture<Long> second = call(sequence);
		settle();
		assertThat(second.getNow(null)).isEqualTo(first.getNow(null) + 1);
	}

	@Test
	void endedCallsLeaveNothingBehind() {
		IdSequence sequence = held();
		List<CompletableFuture<Long>> calls = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			calls.add(call(sequence));
			call(sequence).cancel(true);
			settle();
			advance(ACQUIRE_TIMEOUT.dividedBy(10));
		}
		advance(ACQUIRE_TIMEOUT);
		assertThat(calls).allMatch(CompletableFuture::isCompletedExceptionally);
		assertThat(async().scheduled()).isZero();
		assertThat(async().handedOver()).isZero();
		assertThat(left()).isZero();
	}

	/**
	 * Returns how many calls are still registered as waiting.
	 */
	protected abstract int left();

	@Test
	void callsThatWaitAndCallsThatDoNotGetDifferentIds() {
		IdSequence sequence = held();
		release();
		List<CompletableFuture<Long>> calls = new ArrayList<>();
		IntStream.range(0, 500).forEach((i) -> {
			calls.add(call(sequence));
			if (i % 7 == 0) {
				settle();
				calls.add(CompletableFuture.completedFuture(nextId(sequence)));
			}
		});
		settle();
		assertThat(calls.stream().map((call) -> call.getNow(null))).doesNotHaveDuplicates();
	}

	/**
	 * Calls {@link IdSequence#nextId()}, which may wait.
	 */
	protected abstract long nextId(IdSequence sequence);

}
