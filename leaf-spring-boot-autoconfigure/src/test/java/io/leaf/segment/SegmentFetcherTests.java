// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentFetcher.Fetch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SegmentFetcher}: the size of segments, failures, and a store that
 * moves backwards.
 */
class SegmentFetcherTests {

	private final SegmentFixture fixture = new SegmentFixture();

	private List<String> allocations() {
		return this.fixture.store.calls().stream().filter((call) -> call.startsWith("allocate")).toList();
	}

	private void useSegment(Duration lasting) {
		SegmentStatus.Current current = this.fixture.status("order").current();
		this.fixture.drawFromMemory("order", (int) current.remaining());
		this.fixture.scheduler.advance(lasting);
	}

	@Test
	void theStepFollowsTheRateFromTheFirstFetchAtWhichTheRateIsKnown() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.nextId("order");
		// 1,000 numbers per second: 900,000 last for 15 minutes
		for (int i = 0; i < 1000; i++) {
			this.fixture.drawFromMemory("order", 10);
			this.fixture.scheduler.advance(Duration.ofMillis(10));
		}
		assertThat(allocations()).startsWith("allocate order 1000", "allocate order 16000", "allocate order 256000");
		for (int i = 0; i < 300; i++) {
			this.fixture.drawFromMemory("order", 1000);
			this.fixture.scheduler.advance(Duration.ofSeconds(1));
		}
		assertThat(this.fixture.status("order").step()).isBetween(850_000L, 950_000L);
		assertThat(this.fixture.status("order").waits()).as("only the first caller").isEqualTo(1);
	}

	@Test
	void anOutageIsNotTakenForALowRate() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.nextId("order");
		useSegment(Duration.ofSeconds(1));
		useSegment(Duration.ofSeconds(16));
		long step = this.fixture.status("order").step();
		this.fixture.store.failWith(InMemorySegmentStore.down());
		useSegment(Duration.ofHours(5));
		this.fixture.store.failWith(null);
		this.fixture.scheduler.advance(Duration.ofSeconds(2));
		useSegment(Duration.ofSeconds(1));
		assertThat(this.fixture.status("order").step()).isGreaterThanOrEqualTo(step);
	}

	@Test
	void theStepHalvesWhileSegmentsLastMoreThanTwiceTheTarget() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.nextId("order");
		useSegment(Duration.ofMinutes(2));
		useSegment(Duration.ofMinutes(10));
		long step = this.fixture.status("order").step();
		assertThat(step).isGreaterThan(4000);
		this.fixture.scheduler.advance(Duration.ofMinutes(20));
		useSegment(Duration.ZERO);
		assertThat(this.fixture.status("order").step()).as("between the target and twice the target").isEqualTo(step);
		for (int i = 0; i < 10; i++) {
			this.fixture.scheduler.advance(Duration.ofHours(5));
			useSegment(Duration.ZERO);
		}
		assertThat(this.fixture.status("order").step()).as("not below the row's step").isEqualTo(1000);
	}

	@Test
	void anEditOfTheRowsStepTakesEffectAtTheNextFetchAfterTheOneThatReadIt() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.nextId("order");
		this.fixture.store.put("order", this.fixture.store.row("order").maxId(), 300);
		useSegment(Duration.ofSeconds(1));
		assertThat(this.fixture.status("order").rowStep()).isEqualTo(300);
		useSegment(Duration.ofSeconds(1));
		assertThat(allocations()).endsWith("allocate order 300");
		useSegment(Duration.ofSeconds(1));
		assertThat(allocations()).as("adapted from the new step").endsWith("allocate order 4800");
	}

	@Test
	void anEditOfTheRowsStepTakesEffectAtTheNextFetchIfARefreshHasReadIt() {
		this.fixture.store.put("order", 1, 1000);
		this.fixture.store.leaveStepOut();
		this.fixture.start();
		this.fixture.nextId("order");
		this.fixture.store.put("order", 1001, 5000);
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		useSegment(Duration.ofSeconds(1));
		assertThat(allocations()).containsExactly("allocate order 1000", "allocate order 5000");
		assertThat(this.fixture.status("order").rowStep()).isEqualTo(5000);
	}

	@Test
	void aFailedFetchIsRepeatedWithBackoff() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextIds("order", 1);
		this.fixture.store.failWith(InMemorySegmentStore.down());
		this.fixture.drawFromMemory("order", 1);
		this.fixture.scheduler.advance(Duration.ofSeconds(30));
		long attempts = allocations().size();
		assertThat(attempts).as("one every 250 to 500 ms, once the backoff has grown").isBetween(60L, 125L);
		assertThat(this.fixture.status("order").failures()).isEqualTo(attempts - 1);
		assertThat(this.fixture.status("order").lastError()).isEqualTo("the store is down");
		this.fixture.store.failWith(null);
		this.fixture.scheduler.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.status("order").next()).isEqualTo(new SegmentStatus.Range(11, 21));
	}

	@Test
	void callersDoNotStartAttemptsWhileTheLibraryWaitsForTheNext() {
		this.fixture.acquireTimeout(Duration.ofMillis(20)).startWith("order", 1, 10);
		this.fixture.store.failWith(InMemorySegmentStore.down());
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.fixture.nextId("order"));
		}
		assertThat(allocations()).hasSize(1);
	}

	@Test
	void aLostAnswerSkipsNumbersAndRepeatsNone() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.store.loseAnswers(true);
		CompletableFuture<Long> caller = this.fixture.begin(() -> this.fixture.generator.nextId("order"));
		this.fixture.awaitWaits("order", 1);
		this.fixture.scheduler.run();
		this.fixture.store.loseAnswers(false);
		this.fixture.scheduler.advance(Duration.ofSeconds(2));
		assertThat(SegmentFixture.end(caller)).isEqualTo(11);
	}

	@Test
	void aRefusalIsReportedAtOnceAndTheNextAttemptSucceeds() {
		this.fixture.startWith("order", 1, 0);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.fixture.nextId("order"))
			.withMessageContaining("the step of order is 0");
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"))
			.withMessageContaining("the step of order is 0");
		assertThat(allocations()).hasSize(1);
		this.fixture.store.put("order", 1, 10);
		this.fixture.scheduler.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
	}

	@Test
	void anErrorInTheStoreDoesNotLeaveTheKeyWithoutAFetch() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		this.fixture.store.failWith(new IllegalStateException("a driver's bug"));
		this.fixture.drawFromMemory("order", 1);
		this.fixture.scheduler.run();
		this.fixture.store.failWith(null);
		this.fixture.scheduler.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.status("order").next()).isNotNull();
	}

	@Test
	void aStoreThatMovedBackwardsIsRefusedAndRaised() {
		this.fixture.startWith("order", 5000, 100);
		assertThat(this.fixture.nextId("order")).isEqualTo(5000);
		this.fixture.store.put("order", 4000, 100);
		useSegment(Duration.ZERO);
		assertThat(this.fixture.nextId("order")).isEqualTo(5100);
		assertThat(allocations()).containsExactly("allocate order 100", "allocate order 100",
				"allocate order 100 from 5100");
		assertThat(this.fixture.status("order").failures()).isEqualTo(1);
		assertThat(this.fixture.status("order").lastError()).contains(
				"the row returned [4000, 4100), but this process has been allocated numbers up to 5100 (exclusive)");
	}

	@Test
	void aStoreThatDoesNotRaiseItsCounterIsRefused() {
		AtomicBoolean forgets = new AtomicBoolean(true);
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public Allocation allocate(String key, long size, long floor, Duration timeout) {
				return super.allocate(key, size, forgets.get() ? 0 : floor, timeout);
			}
		};
		this.fixture.startWith("order", 5000, 100);
		this.fixture.nextId("order");
		this.fixture.store.put("order", 400, 100);
		useSegment(Duration.ZERO);
		assertThat(this.fixture.status("order").next()).isNull();
		assertThat(this.fixture.status("order").lastError()).endsWith("The store did not raise max_id");
		forgets.set(false);
		this.fixture.scheduler.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.nextId("order")).isEqualTo(5100);
	}

	@Test
	void onlyOneSlowKeyAtATimeWaitsLongForTheStore() {
		Map<String, List<Duration>> timeouts = new TreeMap<>();
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public Allocation allocate(String key, long size, long floor, Duration timeout) {
				timeouts.computeIfAbsent(key, (name) -> new ArrayList<>()).add(timeout);
				if (key.startsWith("locked")) {
					SegmentFetcherTests.this.fixture.scheduler.tick(timeout);
					// other threads of the library would run these tasks meanwhile
					SegmentFetcherTests.this.fixture.scheduler.run();
					throw down();
				}
				return super.allocate(key, size, floor, timeout);
			}
		};
		this.fixture.store.put("locked1", 1, 10).put("locked2", 1, 10).put("free", 1, 10);
		this.fixture.acquireTimeout(Duration.ofMinutes(1)).start();
		this.fixture.begin(() -> this.fixture.generator.nextId("locked1"));
		this.fixture.begin(() -> this.fixture.generator.nextId("locked2"));
		SegmentFixture.await()
			.until(() -> this.fixture.status("locked1").waits() == 1 && this.fixture.status("locked2").waits() == 1);
		this.fixture.scheduler.run();
		assertThat(timeouts.get("locked1")).containsExactly(KeyAllocator.TIMEOUT);
		assertThat(timeouts.get("locked2")).containsExactly(KeyAllocator.TIMEOUT);
		assertThat(this.fixture.nextId("free")).isEqualTo(1);
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThat(timeouts.get("locked1").get(1)).isEqualTo(KeyAllocator.SLOW_TIMEOUT);
		assertThat(timeouts.get("locked2").get(1)).isEqualTo(KeyAllocator.SLOW_TIMEOUT);
		assertThat(timeouts.get("free")).containsOnly(KeyAllocator.TIMEOUT);
	}

	@Test
	void slowKeysAreServedOneAfterTheOtherWithoutAPauseOnceTheStoreAnswers() {
		AtomicBoolean down = new AtomicBoolean(true);
		AtomicBoolean allBecomeDue = new AtomicBoolean(true);
		AtomicLong waited = new AtomicLong();
		SegmentStore store = new InMemorySegmentStore() {
			@Override
			public Allocation allocate(String key, long size, long floor, Duration timeout) {
				if (down.get()) {
					waited.addAndGet(timeout.toNanos());
					throw down();
				}
				// other threads of the library would run these tasks meanwhile
				if (allBecomeDue.getAndSet(false)) {
					SegmentFetcherTests.this.fixture.scheduler.tick(Duration.ofMillis(60));
				}
				SegmentFetcherTests.this.fixture.scheduler.run();
				return new Allocation(11, 21, 10);
			}
		};
		SegmentEnvironment environment = new SegmentEnvironment(this.fixture.scheduler, () -> SegmentFixture.NOW,
				() -> this.fixture.scheduler.nanoTime() + waited.get(), SegmentEnvironment::park, new Random(1));
		List<Segment> tails = Stream.generate(() -> new Segment(1, 11, 0.1, 0)).limit(100).toList();
		tails.forEach((tail) -> new SegmentFetcher(new KeyAllocator("order", TestSettings.DEFAULTS, store, environment),
				TestSettings.DEFAULTS, environment, () -> {
				})
			.request(tail, 1));
		this.fixture.scheduler.run();
		down.set(false);
		this.fixture.scheduler.advance(Duration.ofSeconds(1));
		assertThat(tails).allSatisfy((tail) -> assertThat(tail.successor()).isNotNull());
	}

	@Test
	void aKeyWhoseFetchWasSlowButSucceededDoesNotWaitForItsTurn() {
		List<Duration> timeouts = new ArrayList<>();
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public Allocation allocate(String key, long size, long floor, Duration timeout) {
				timeouts.add(timeout);
				SegmentFetcherTests.this.fixture.scheduler.tick(KeyAllocator.TIMEOUT.plusMillis(100));
				return super.allocate(key, size, floor, timeout);
			}
		};
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		useSegment(Duration.ofSeconds(1));
		assertThat(timeouts).containsExactly(KeyAllocator.TIMEOUT, KeyAllocator.TIMEOUT);
	}

	@Test
	void aRowRemovedAndAddedAgainRepeatsNoNumber() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextIds("order", 5);
		this.fixture.store.remove("order");
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		this.fixture.store.put("order", 1, 100);
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		assertThat(this.fixture.nextId("order")).isGreaterThanOrEqualTo(101);
	}

	@Test
	void theMarkDrawnBeforeAFetchHasFinishedIsNotLost() {
		this.fixture.startWith("order", 0, 1);
		// each segment has one number, at its mark; the waiting caller draws it while the
		// fetch that brought it is finishing
		for (int i = 0; i < 500; i++) {
			assertThat(this.fixture.nextId("order")).isEqualTo(i);
		}
		this.fixture.scheduler.run();
		SegmentStatus status = this.fixture.status("order");
		assertThat(status.current()).isNotNull();
		assertThat(status.current().remaining()).as("the next number is in memory").isPositive();
	}

	private SegmentFetcher fetcher() {
		return fetcher(
				new KeyAllocator("order", TestSettings.DEFAULTS, this.fixture.store, this.fixture.environment()));
	}

	private SegmentFetcher fetcher(KeyAllocator allocator) {
		return new SegmentFetcher(allocator, TestSettings.DEFAULTS, this.fixture.environment(), () -> {
		});
	}

	private static boolean hasEnded(Fetch fetch) {
		return fetch.getCount() == 0;
	}

	@Test
	void aClosedFetcherFetchesNothingAndLetsNoCallerWait() {
		KeyAllocator allocator = new KeyAllocator("order", TestSettings.DEFAULTS, this.fixture.store,
				this.fixture.environment());
		SegmentFetcher fetcher = fetcher(allocator);
		Fetch requested = fetcher.request(new Segment(1, 11, 0.1, 0), 1);
		allocator.close();
		fetcher.endWaiting();
		assertThat(hasEnded(requested)).isTrue();
		this.fixture.scheduler.run();
		Fetch later = fetcher.request(new Segment(1, 11, 0.1, 0), 1);
		assertThat(later).isNotSameAs(requested);
		assertThat(hasEnded(later)).isTrue();
		this.fixture.scheduler.run();
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	@Test
	void noCallerWaitsForAFetchThatIsRejected() {
		this.fixture.submitted = (task) -> {
			throw new RejectedExecutionException("on purpose");
		};
		SegmentFetcher fetcher = fetcher();
		assertThat(hasEnded(fetcher.request(new Segment(1, 11, 0.1, 0), 1))).isTrue();
	}

	@Test
	void aSuccessorThatHasArrivedIsNotFetchedAgain() {
		SegmentFetcher fetcher = fetcher();
		Segment tail = new Segment(1, 11, 0.1, 0);
		tail.setSuccessor(new Segment(11, 21, 1, 0));
		Fetch fetch = fetcher.request(tail, 1);
		this.fixture.scheduler.run();
		assertThat(hasEnded(fetch)).isTrue();
		assertThat(this.fixture.store.calls()).isEmpty();
		assertThat(fetcher.request(tail, 1)).isNotSameAs(fetch);
	}

	@Test
	void aFetchThatCannotBeScheduledAgainEnds() {
		this.fixture.store.failWith(InMemorySegmentStore.down());
		this.fixture.submitted = Runnable::run;
		SegmentFetcher fetcher = fetcher();
		this.fixture.scheduler.shutdown();
		Fetch fetch = fetcher.request(new Segment(1, 11, 0.1, 0), 1);
		assertThat(hasEnded(fetch)).isTrue();
		assertThat(fetcher.request(new Segment(1, 11, 0.1, 0), 1)).isNotSameAs(fetch);
	}

	@Test
	void aMissingRowEndsTheFetch() {
		SegmentFetcher fetcher = fetcher();
		Fetch fetch = fetcher.request(new Segment(1, 11, 0.1, 0), 1);
		this.fixture.scheduler.run();
		assertThat(hasEnded(fetch)).isTrue();
		assertThat(fetcher.request(new Segment(1, 11, 0.1, 0), 1)).isNotSameAs(fetch);
	}

}
