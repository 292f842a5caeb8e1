// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.leaf.IdGenerationException;
import io.leaf.IdSequence;
import io.leaf.ManualAsyncExecutor;
import io.leaf.NextIdAsyncContract;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdSequence#nextIdAsync()} in segment mode.
 */
class SegmentNextIdAsyncTests {

	/**
	 * The contract and the tests of all orderings.
	 */
	abstract static class Contract extends NextIdAsyncContract {

		final SegmentFixture fixture;

		final ManualAsyncExecutor async;

		Contract(Ordering ordering) {
			this.fixture = new SegmentFixture().ordering(ordering).acquireTimeout(ACQUIRE_TIMEOUT);
			this.async = this.fixture.async;
		}

		@BeforeEach
		void start() {
			this.fixture.startWith("order", 1, 10);
		}

		@Override
		protected IdSequence held() {
			this.fixture.store.failWith(InMemorySegmentStore.down());
			return this.fixture.generator.sequence("order");
		}

		@Override
		protected void release() {
			this.fixture.store.failWith(null);
			advance(Duration.ofMillis(500));
		}

		@Override
		protected void settle() {
			do {
				this.fixture.scheduler.run();
			}
			while (this.async.run());
		}

		@Override
		protected void advance(Duration duration) {
			for (Duration left = duration; !left.isZero(); left = left.minusMillis(1)) {
				this.fixture.scheduler.advance(Duration.ofMillis(1));
				settle();
			}
		}

		@Override
		protected void close() {
			this.fixture.generator.close();
		}

		@Override
		protected ManualAsyncExecutor async() {
			return this.async;
		}

		@Override
		protected IdGenerationException timedOut() {
			return new SegmentUnavailableException("order", "No ID for key 'order': the store is down", null);
		}

		@Override
		protected String closedMessage() {
			return "the generator is closed, the application is shutting down";
		}

		@Override
		protected long nextId(IdSequence sequence) {
			return this.fixture.run(sequence::nextId);
		}

		@Override
		protected int left() {
			return left(ReflectionTestUtils
				.getField(Objects.requireNonNull(ReflectionTestUtils.getField(sequence(), "fetcher")), "inFlight"));
		}

		static int left(Object reference) {
			Object latch = ReflectionTestUtils.invokeMethod(reference, "get");
			return (latch == null) ? 0 : ((Collection<?>) ReflectionTestUtils.getField(latch, "resumptions")).size();
		}

		final KeySequence sequence() {
			return (KeySequence) this.fixture.generator.sequence("order");
		}

		@Test
		void theFirstCallForAKeyLooksItUp() {
			IdSequence late = this.fixture.generator.sequence("late");
			this.fixture.store.put("late", 100, 10);
			this.fixture.store.failWith(InMemorySegmentStore.down());
			CompletableFuture<Long> failed = call(late);
			assertThat(failed).isNotDone();
			settle();
			assertThatFailure(failed).isInstanceOf(SegmentUnavailableException.class)
				.withMessage("Key 'late' could not be looked up: the store is down");
			this.fixture.store.failWith(null);
			CompletableFuture<Long> first = call(late);
			settle();
			assertThat(first).isNotDone();
			advance(KeyLookUps.PAUSE);
			assertThat(first.getNow(null)).isEqualTo(100);
			CompletableFuture<Long> second = call(late);
			settle();
			assertThat(second.getNow(null)).isEqualTo(101);
		}

		@Test
		void aLookUpThatIsNotAnsweredEndsAtTheTimeout() {
			this.fixture.submitted = (task) -> {
			};
			CompletableFuture<Long> call = call(this.fixture.generator.sequence("late"));
			settle();
			advance(ACQUIRE_TIMEOUT);
			assertThatFailure(call).isInstanceOf(SegmentUnavailableException.class)
				.withMessage(
						"Key 'late' could not be looked up: the store has not answered within 2 s (leaf.segment.acquire-timeout)");
		}

		@Test
		void aCallEndsAtTheTimeoutIfTheStoreDoesNotAnswer() {
			this.fixture.submitted = (task) -> {
			};
			CompletableFuture<Long> call = call(sequence());
			settle();
			advance(ACQUIRE_TIMEOUT);
			assertThatFailure(call).isInstanceOf(SegmentUnavailableException.class)
				.withMessage(
						"No ID for key 'order': the store has not answered within 2 s (leaf.segment.acquire-timeout)");
			assertThat(this.fixture.status("order").waits()).isEqualTo(1);
			assertThat(this.fixture.status("order").waited()).isEqualTo(ACQUIRE_TIMEOUT);
		}

		@Test
		void aKeyWithoutARowFails() {
			CompletableFuture<Long> call = call(this.fixture.generator.sequence("unknown"));
			settle();
			advance(KeyLookUps.PAUSE);
			assertThatFailure(call).isInstanceOf(UnknownKeyException.class)
				.withMessageStartingWith("There is no row for key 'unknown'. Add one");
		}

		@Test
		void aRemovedKeyFailsAndContinuesOnceItHasARowAgain() {
			IdSequence sequence = sequence();
			CompletableFuture<Long> first = call(sequence);
			settle();
			this.fixture.store.remove("order");
			advance(this.fixture.settings.refreshInterval());
			CompletableFuture<Long> removed = call(sequence);
			settle();
			advance(KeyLookUps.PAUSE);
			assertThatFailure(removed).isInstanceOf(UnknownKeyException.class);
			this.fixture.store.put("order", 50, 10);
			CompletableFuture<Long> added = call(sequence);
			settle();
			advance(KeyLookUps.PAUSE);
			assertThat(first.getNow(null)).isEqualTo(1);
			assertThat(added.getNow(null)).isEqualTo(50);
		}

		@Test
		void aRefusalFailsTheCallsAtOnce() {
			this.fixture.store.put("order", 1, 0);
			CompletableFuture<Long> call = call(sequence());
			settle();
			assertThatFailure(call).isInstanceOf(SegmentUnavailableException.class)
				.withMessageContaining("the step of order is 0");
			assertThat(left()).isZero();
		}

		@Test
		void anIdIssuedToACallThatIsCancelledAtTheSameTimeCountsAsLost() {
			CompletableFuture<Long> cancelled = call(sequence());
			this.async.heldCompletions = new ArrayDeque<>();
			settle();
			assertThat(this.fixture.status("order").numbers().issued()).isEqualTo(1);
			assertThat(cancelled.cancel(true)).isTrue();
			this.async.heldCompletions.forEach(Runnable::run);
			this.async.heldCompletions = null;
			assertThat(this.fixture.status("order").numbers()).isEqualTo(new SegmentStatus.Numbers(0, 0, 1));
			CompletableFuture<Long> next = call(sequence());
			settle();
			assertThat(next.getNow(null)).isEqualTo(2);
			assertThat(this.fixture.status("order").numbers()).isEqualTo(new SegmentStatus.Numbers(1, 0, 1));
		}

	}

	@Nested
	class Strict extends Contract {

		Strict() {
			super(Ordering.STRICT);
		}

		@Test
		void theCallThatDrawsTheMarkHandsOverTheFetch() {
			CompletableFuture<Long> first = call(sequence());
			settle();
			assertThat(first.getNow(null)).isEqualTo(1);
			int tasks = this.fixture.scheduler.pending();
			assertThat(call(sequence()).getNow(null)).isEqualTo(2);
			assertThat(this.fixture.scheduler.pending()).as("the caller submits nothing").isEqualTo(tasks);
			settle();
			assertThat(this.fixture.status("order").next()).isEqualTo(new SegmentStatus.Range(11, 21));
		}

	}

	@Nested
	class Striped extends Contract {

		Striped() {
			super(Ordering.STRIPED);
		}

		@Test
		void theCallThatDrawsTheRunWithTheMarkHandsOverTheFetch() {
			this.fixture.store.put("order", 1, 1000);
			this.fixture.scheduler.advance(this.fixture.settings.refreshInterval());
			CompletableFuture<Long> first = call(sequence());
			settle();
			assertThat(first).isCompleted();
			int tasks = this.fixture.scheduler.pending();
			for (int i = 0; i < 200; i++) {
				assertThat(call(sequence())).isCompleted();
			}
			assertThat(this.fixture.scheduler.pending()).as("the caller submits nothing").isEqualTo(tasks);
			assertThat(this.fixture.status("order").next()).isNull();
			settle();
			assertThat(this.fixture.status("order").next()).isNotNull();
		}

	}

	@Nested
	class Global extends Contract {

		Global() {
			super(Ordering.GLOBAL);
		}

		@Override
		protected boolean keepsNumbersInMemory() {
			return false;
		}

		@Override
		protected int left() {
			return ((GlobalSequence) sequence()).queued();
		}

		@Test
		void callsThatWaitTogetherShareOneAllocationWithoutACancelledCall() {
			CompletableFuture<Long> first = call(sequence());
			CompletableFuture<Long> cancelled = call(sequence());
			this.async.run();
			CompletableFuture<Long> last = call(sequence());
			cancelled.cancel(true);
			this.async.run();
			settle();
			assertThat(first.getNow(null)).isEqualTo(1);
			assertThat(last.getNow(null)).isEqualTo(2);
			assertThat(this.fixture.store.calls()).filteredOn((request) -> request.startsWith("allocate"))
				.containsExactly("allocate order 2");
			assertThat(this.fixture.status("order").numbers()).isEqualTo(new SegmentStatus.Numbers(2, 0, 0));
		}

		@Test
		void aNumberAllocatedForACallThatIsCancelledMeanwhileCountsAsLost() {
			CompletableFuture<Long> cancelled = call(sequence());
			this.async.run();
			this.fixture.scheduler.run();
			cancelled.cancel(true);
			settle();
			assertThat(this.fixture.status("order").numbers()).isEqualTo(new SegmentStatus.Numbers(0, 0, 1));
		}

	}

}
