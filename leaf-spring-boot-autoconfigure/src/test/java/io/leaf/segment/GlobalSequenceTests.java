// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GlobalSequence}: the numbers of a key ascend across all processes.
 */
@ExtendWith(OutputCaptureExtension.class)
class GlobalSequenceTests {

	private final SegmentFixture fixture = new SegmentFixture().ordering(Ordering.GLOBAL);

	@Test
	void aCallAllocatesExactlyTheNumbersThatItNeeds() {
		this.fixture.startWith("order", 1, 1000);
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
		assertThat(this.fixture.nextIds("order", 5)).containsExactly(2, 3, 4, 5, 6);
		assertThat(this.fixture.nextId("order")).isEqualTo(7);
		assertThat(allocations()).containsExactly("allocate order 1", "allocate order 5", "allocate order 1");
		assertThat(this.fixture.scheduler.pending()).as("only the refresh").isEqualTo(1);
	}

	@Test
	void callsThatWaitTogetherShareOneAllocation() {
		this.fixture.startWith("order", 1, 1000);
		List<CompletableFuture<Long>> calls = Stream.generate(() -> begin("order")).limit(8).toList();
		this.fixture.awaitWaits("order", 8);
		this.fixture.scheduler.run();
		assertThat(calls.stream().map(SegmentFixture::end)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
		assertThat(allocations()).containsExactly("allocate order 8");
	}

	@Test
	void callsThatTogetherExceedTheMaximumCountDoNotShareAnAllocation() {
		this.fixture.startWith("order", 1, 1000);
		CompletableFuture<long[]> first = beginMany(600_000, 1);
		CompletableFuture<long[]> second = beginMany(400_001, 2);
		this.fixture.scheduler.run();
		assertThat(SegmentFixture.end(first)).startsWith(1).endsWith(600_000);
		assertThat(SegmentFixture.end(second)).startsWith(600_001).endsWith(1_000_001);
		assertThat(allocations()).containsExactly("allocate order 600000", "allocate order 400001");
	}

	private CompletableFuture<long[]> beginMany(int count, int waits) {
		CompletableFuture<long[]> call = this.fixture.begin(() -> this.fixture.generator.nextIds("order", count));
		this.fixture.awaitWaits("order", waits);
		return call;
	}

	@Test
	void aCallIsNotServedByAnAllocationThatBeganBeforeItArrived() {
		AtomicReference<@Nullable CompletableFuture<Long>> late = new AtomicReference<>();
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
				Allocation allocation = super.allocate(key, size, floor, timeout);
				if (late.get() == null) {
					late.set(begin("order"));
					GlobalSequenceTests.this.fixture.awaitWaits("order", 2);
					// another process allocates a number that the late call must not
					// precede
					super.allocate(key, 1, 0, timeout);
				}
				return allocation;
			}
		};
		this.fixture.startWith("order", 1, 1000);
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
		assertThat(this.fixture.run(() -> SegmentFixture.end(late.get()))).isEqualTo(3);
	}

	@Test
	void aCallThatHasGivenUpIsNotServedAndTakesNoNumber() {
		this.fixture.callersMoveTheClock().startWith("order", 1, 1000);
		this.fixture.store.failWith(InMemorySegmentStore.down());
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"))
			.withMessage("No ID for key 'order': the store is down");
		this.fixture.store.failWith(null);
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(1);
		assertThat(this.fixture.status("order").numbers()).isEqualTo(new SegmentStatus.Numbers(1, 0, 0));
	}

	@Test
	void theStoreIsNotCalledWhenNoCallWaits() {
		this.fixture.callersMoveTheClock().startWith("order", 1, 1000);
		this.fixture.store.failWith(InMemorySegmentStore.down());
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"));
		this.fixture.scheduler.advance(Duration.ofSeconds(1));
		int attempts = allocations().size();
		this.fixture.scheduler.advance(Duration.ofSeconds(30));
		assertThat(allocations()).hasSize(attempts);
	}

	@Test
	void aLostAnswerSkipsNumbersAndTheCallGetsLargerOnes() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.store.loseAnswers(true);
		CompletableFuture<Long> call = begin("order");
		this.fixture.awaitWaits("order", 1);
		this.fixture.scheduler.run();
		this.fixture.store.loseAnswers(false);
		this.fixture.scheduler.advance(Duration.ofSeconds(1));
		assertThat(SegmentFixture.end(call)).isEqualTo(2);
	}

	@Test
	void aRefusalEndsTheCallsAtOnce() {
		this.fixture.startWith("order", 1, 0);
		CompletableFuture<Long> call = begin("order");
		this.fixture.awaitWaits("order", 1);
		this.fixture.scheduler.run();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> SegmentFixture.end(call))
			.withMessageContaining("the step of order is 0");
		this.fixture.store.put("order", 1, 10);
		this.fixture.scheduler.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
	}

	@Test
	void aRowThatMovedBackwardsIsRaised() {
		this.fixture.startWith("order", 100, 10);
		assertThat(this.fixture.nextId("order")).isEqualTo(100);
		this.fixture.store.put("order", 50, 10);
		assertThat(this.fixture.nextId("order")).isEqualTo(101);
		assertThat(this.fixture.status("order").lastError()).contains("moved backwards");
	}

	@Test
	void aRemovedRowStopsTheKeyUntilItIsAddedAgain() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		this.fixture.store.remove("order");
		CompletableFuture<Long> call = begin("order");
		SegmentFixture.await().until(() -> {
			this.fixture.scheduler.advance(Duration.ofMillis(10));
			return call.isDone();
		});
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> SegmentFixture.end(call));
		this.fixture.store.put("order", 1, 10);
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThat(this.fixture.nextId("order")).as("above the numbers issued before").isEqualTo(2);
	}

	@Test
	void closingEndsCallsAndGivesNothingBack() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		CompletableFuture<Long> call = begin("order");
		this.fixture.awaitWaits("order", 2);
		this.fixture.generator.close();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> SegmentFixture.end(call))
			.withMessageContaining("closed");
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"))
			.withMessageContaining("closed");
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(2);
	}

	@Test
	void anAttemptThatACallerCouldNotSubmitIsSubmittedByTheNextCaller() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.submitted = (task) -> {
			throw new StackOverflowError("injected");
		};
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> this.fixture.generator.nextId("order"));
		this.fixture.submitted = (task) -> this.fixture.scheduler.schedule(task, 0, TimeUnit.NANOSECONDS);
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
	}

	@Test
	void preloadingAllocatesNothing() {
		this.fixture.store.put("order", 1, 10);
		this.fixture.start(true, true, 0).scheduler.run();
		assertThat(allocations()).isEmpty();
	}

	@Test
	void statusShowsHowLongTheOldestCallHasBeenWaiting() {
		this.fixture.startWith("order", 1, 10);
		CompletableFuture<Long> call = begin("order");
		this.fixture.awaitWaits("order", 1);
		this.fixture.scheduler.tick(Duration.ofSeconds(3));
		assertThat(this.fixture.status("order").awaited()).isEqualTo(Duration.ofSeconds(3));
		this.fixture.scheduler.run();
		SegmentFixture.end(call);
		assertThat(this.fixture.status("order").awaited()).isZero();
	}

	@Test
	void aWaitingCallIsServedAlthoughSubmittingTheNextAttemptFailed() {
		AtomicReference<@Nullable CompletableFuture<Long>> late = new AtomicReference<>();
		AtomicBoolean inStore = new AtomicBoolean();
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
				if (late.get() == null) {
					late.set(begin("order"));
					GlobalSequenceTests.this.fixture.awaitWaits("order", 2);
					inStore.set(true);
				}
				return super.allocate(key, size, floor, timeout);
			}
		};
		this.fixture.submitted = (task) -> {
			if (inStore.compareAndSet(true, false)) {
				throw new OutOfMemoryError("injected");
			}
			this.fixture.scheduler.schedule(task, 0, TimeUnit.NANOSECONDS);
		};
		this.fixture.startWith("order", 1, 1000);
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
		SegmentFixture.await().atMost(Duration.ofSeconds(1)).until(() -> {
			this.fixture.scheduler.advance(Duration.ofMillis(1));
			return late.get().isDone();
		});
		assertThat(SegmentFixture.end(late.get())).isEqualTo(2);
	}

	@Test
	void callsThatHaveGivenUpDoNotAccumulateWhileAnAttemptTakesLong() throws Exception {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.begin(() -> {
			for (int i = 0; i < 10_000; i++) {
				Thread.currentThread().interrupt();
				try {
					this.fixture.generator.nextId("order");
				}
				catch (SegmentUnavailableException ex) {
					// interrupted
				}
			}
			return null;
		}).get(20, TimeUnit.SECONDS);
		KeySequence sequence = (KeySequence) this.fixture.generator.sequence("order");
		assertThat(((GlobalSequence) sequence).queued()).isLessThan(10);
	}

	@Test
	void aStoreThatReturnsFewerNumbersThanRequestedCausesNoDuplicate() {
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
				return super.allocate(key, Math.min(size, 2), floor, timeout);
			}
		};
		this.fixture.callersMoveTheClock().startWith("order", 1, 1000);
		assertThat(this.fixture.generator.nextIds("order", 2)).containsExactly(1, 2);
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextIds("order", 5))
			.withMessageContaining("although 5 numbers were requested");
		assertThat(this.fixture.generator.nextId("order")).isGreaterThan(2);
	}

	@Test
	void aRowThatIsRemovedAfterAFailureIsNotReportedAsNewNumbers(CapturedOutput output) {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.store.failWith(InMemorySegmentStore.down());
		CompletableFuture<Long> call = begin("order");
		this.fixture.awaitWaits("order", 1);
		this.fixture.scheduler.run();
		this.fixture.store.failWith(null);
		this.fixture.store.remove("order");
		SegmentFixture.await().until(() -> {
			this.fixture.scheduler.advance(Duration.ofMillis(10));
			return call.isDone();
		});
		assertThat(output).doesNotContain("has new numbers after");
	}

	@Test
	void anOutageIsLoggedOnce(CapturedOutput output) {
		this.fixture.callersMoveTheClock().startWith("order", 1, 1000);
		this.fixture.store.failWith(InMemorySegmentStore.down());
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> this.fixture.generator.nextId("order"));
			this.fixture.scheduler.advance(Duration.ofSeconds(1));
		}
		assertThat(output.getAll().split("Cannot allocate numbers", -1)).hasSize(2);
	}

	private CompletableFuture<Long> begin(String key) {
		return this.fixture.begin(() -> this.fixture.generator.nextId(key));
	}

	private List<String> allocations() {
		return this.fixture.store.calls().stream().filter((call) -> call.startsWith("allocate")).toList();
	}

}
