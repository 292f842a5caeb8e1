// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.leaf.ManualScheduler;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KeyDirectory} and {@link KeyLookUps}: keys that are requested before
 * their row has been read, and rows that a refresh does not return.
 */
class KeyDirectoryTests {

	private final SegmentFixture fixture = new SegmentFixture();

	private List<String> finds() {
		return this.fixture.store.calls().stream().filter((call) -> call.startsWith("find ")).toList();
	}

	private Duration now() {
		return Duration.ofNanos(this.fixture.scheduler.nanoTime());
	}

	private void assertUnknown(String key) {
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.generator.nextId(key))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(key));
	}

	@Test
	void aRowThatIsAddedAfterAFailedCallWorksWithinASecond() {
		this.fixture.start();
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.nextId("order"))
			.withMessageContaining("'order'")
			.withMessageContaining("leaf.segment.auto-create.enabled");
		this.fixture.store.put("order", 7, 10);
		this.fixture.scheduler.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.nextId("order")).isEqualTo(7);
	}

	@Test
	void threeThousandNewRowsAreFoundOneAfterTheOtherWithoutAPause() {
		this.fixture.callersMoveTheClock().start();
		Duration start = now();
		for (int i = 0; i < 3000; i++) {
			this.fixture.store.put("key" + i, 1, 10);
			assertThat(this.fixture.generator.nextId("key" + i)).isEqualTo(1);
		}
		assertThat(now()).isEqualTo(start);
	}

	@Test
	void threeThousandNewRowsAreFoundByManyThreads() {
		try (SegmentIdGenerator generator = new SegmentIdGenerator(this.fixture.store,
				this.fixture.acquireTimeout(Duration.ofMinutes(1)).settings)) {
			generator.start();
			IntStream.range(0, 3000).forEach((i) -> this.fixture.store.put("new" + i, 1, 10));
			List<CompletableFuture<Long>> callers = IntStream.range(0, 3000)
				.mapToObj((i) -> this.fixture.begin(() -> generator.nextId("new" + i)))
				.toList();
			callers.forEach((caller) -> assertThat(SegmentFixture.end(caller)).isEqualTo(1));
		}
	}

	@Test
	void allWaitingCallersShareOneRead() {
		ManualScheduler submitted = new ManualScheduler();
		this.fixture.submitted = submitted;
		this.fixture.start();
		this.fixture.store.put("a", 1, 10).put("b", 1, 10).put("c", 1, 10);
		List<CompletableFuture<Long>> callers = IntStream.range(0, 30)
			.mapToObj((i) -> this.fixture.begin(() -> this.fixture.generator.nextId("abc".substring(i % 3, i % 3 + 1))))
			.toList();
		SegmentFixture.await().until(() -> submitted.pending() == 30);
		SegmentFixture.await().until(() -> {
			submitted.run();
			this.fixture.scheduler.run();
			return callers.stream().allMatch(CompletableFuture::isDone);
		});
		assertThat(finds()).singleElement().asString().contains("a", "b", "c").hasSize("find a b c".length());
		assertThat(callers.stream().map(SegmentFixture::end).distinct()).hasSize(10);
	}

	@Test
	void aBatchHasAThousandKeysAndTheNextBatchHasTheOthers() {
		// these callers return at once, but their requests still count as waiting
		AtomicInteger gone = new AtomicInteger(KeyLookUps.BATCH);
		this.fixture.waits = (latch, nanos) -> gone.getAndDecrement() > 0 || latch.await(nanos, TimeUnit.NANOSECONDS);
		this.fixture.start();
		for (int i = 0; i < KeyLookUps.BATCH; i++) {
			assertUnknown("gone" + i);
		}
		assertThat(findAfter(gone)).hasSize(2).last().isEqualTo("find order");
		assertThat(finds().get(0).split(" ")).hasSize(1 + KeyLookUps.BATCH).doesNotContain("order");
	}

	@Test
	void keysOfCallersThatHaveGivenUpAreNotLookedUp() {
		AtomicInteger impatient = new AtomicInteger(KeyLookUps.BATCH);
		this.fixture.waits = (latch, nanos) -> impatient.getAndDecrement() <= 0
				&& latch.await(nanos, TimeUnit.NANOSECONDS);
		this.fixture.start();
		for (int i = 0; i < KeyLookUps.BATCH; i++) {
			String key = "gone" + i;
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> this.fixture.generator.nextId(key))
				.withMessageContaining("leaf.segment.acquire-timeout");
		}
		assertThat(findAfter(impatient)).containsExactly("find order");
	}

	private List<String> findAfter(AtomicInteger before) {
		this.fixture.store.put("order", 1, 10);
		CompletableFuture<Long> caller = this.fixture.begin(() -> this.fixture.generator.nextId("order"));
		SegmentFixture.await().until(() -> before.get() < 0);
		SegmentFixture.await().until(() -> {
			this.fixture.scheduler.advance(Duration.ofMillis(10));
			return caller.isDone();
		});
		assertThat(SegmentFixture.end(caller)).isEqualTo(1);
		return finds();
	}

	@Test
	void aBatchThatLacksARowIsFollowedByAPause() {
		this.fixture.callersMoveTheClock().start();
		Duration start = now();
		assertUnknown("a");
		assertThat(now()).as("without a pause").isEqualTo(start);
		assertUnknown("b");
		assertThat(now()).isEqualTo(start.plus(KeyLookUps.PAUSE));
		this.fixture.store.put("order", 1, 10);
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(1);
		assertThat(now()).isEqualTo(start.plus(KeyLookUps.PAUSE.multipliedBy(2)));
		this.fixture.store.put("payment", 1, 10);
		this.fixture.generator.nextId("payment");
		assertThat(now()).as("after a batch that lacked no row")
			.isEqualTo(start.plus(KeyLookUps.PAUSE.multipliedBy(2)));
	}

	@Test
	void aBatchThatFailsIsAlsoFollowedByAPause() {
		this.fixture.callersMoveTheClock().start();
		Duration start = now();
		this.fixture.store.put("order", 1, 10).failWith(InMemorySegmentStore.down());
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> this.fixture.generator.nextId("order"))
				.withMessageContaining("the store is down")
				.withCauseInstanceOf(SegmentStoreException.class);
		}
		this.fixture.store.failWith(null);
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(1);
		assertThat(now()).isEqualTo(start.plus(KeyLookUps.PAUSE.multipliedBy(3)));
	}

	@Test
	void anErrorOfTheStoreFailsWaitingCallersButNoLaterOnes() {
		AtomicInteger errors = new AtomicInteger(1);
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				if (errors.getAndDecrement() > 0) {
					throw new NoClassDefFoundError("a driver's bug");
				}
				return super.find(keys);
			}
		};
		this.fixture.callersMoveTheClock().start();
		this.fixture.store.put("order", 1, 10);
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"))
			.withCauseInstanceOf(NoClassDefFoundError.class);
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(1);
	}

	@Test
	void aHangingLookUpDelaysNoFetchHoweverManyKeysAreRequested() {
		CountDownLatch finding = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		InMemorySegmentStore store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				finding.countDown();
				try {
					answer.await();
				}
				catch (InterruptedException ex) {
					throw new AssertionError(ex);
				}
				return super.find(keys);
			}
		};
		store.put("order", 1, 10);
		try (SegmentIdGenerator generator = new SegmentIdGenerator(store,
				this.fixture.acquireTimeout(Duration.ofMinutes(1)).settings)) {
			generator.start();
			List<CompletableFuture<Long>> callers = IntStream.range(0, 10)
				.mapToObj((i) -> this.fixture.begin(() -> generator.nextId("unknown" + i)))
				.toList();
			SegmentFixture.await().until(() -> finding.getCount() == 0);
			assertThat(generator.nextIds("order", 100)).hasSize(100);
			assertThat(callers).noneMatch(CompletableFuture::isDone);
			answer.countDown();
			callers.forEach((caller) -> assertThatExceptionOfType(UnknownKeyException.class)
				.isThrownBy(() -> SegmentFixture.end(caller)));
		}
	}

	@Test
	void anInterruptedCallerFailsAndStaysInterrupted() {
		this.fixture.start();
		CompletableFuture<Boolean> interrupted = this.fixture.begin(() -> {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> this.fixture.generator.nextId("order"))
				.withMessageContaining("the thread was interrupted");
			return Thread.interrupted();
		});
		assertThat(SegmentFixture.end(interrupted)).isTrue();
	}

	@Test
	void autoCreateAddsTheRowsOfAllWaitingCallersWithoutAPause() {
		this.fixture.callersMoveTheClock().start(false, true, 500);
		Duration start = now();
		assertThat(this.fixture.generator.nextId("a")).isEqualTo(1);
		assertThat(this.fixture.generator.nextId("b")).isEqualTo(1);
		assertThat(now()).isEqualTo(start);
		assertThat(this.fixture.store.row("a")).isEqualTo(new SegmentRow("a", 501, 500));
	}

	@Test
	void aRowThatCannotBeAddedDoesNotAffectOtherKeys() {
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public void create(String key, int step, long from) {
				throw new SegmentStoreException("no right to add rows", null, true);
			}
		};
		AtomicInteger submitted = new AtomicInteger();
		this.fixture.submitted = (task) -> {
			this.fixture.scheduler.schedule(task, 0, TimeUnit.NANOSECONDS);
			submitted.incrementAndGet();
		};
		this.fixture.start(false, true, 500);
		this.fixture.store.put("found", 7, 10);
		CompletableFuture<Long> found = this.fixture.begin(() -> this.fixture.generator.nextId("found"));
		CompletableFuture<Long> refused = this.fixture.begin(() -> this.fixture.generator.nextId("refused"));
		SegmentFixture.await().until(() -> submitted.get() == 2);
		SegmentFixture.await().until(() -> {
			this.fixture.scheduler.run();
			return found.isDone() && refused.isDone();
		});
		assertThat(finds()).as("in one batch").hasSize(1);
		assertThat(SegmentFixture.end(found)).isEqualTo(7);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> SegmentFixture.end(refused))
			.withMessageContaining("no right to add rows");
	}

	@Test
	void autoCreateExplainsWhyItDoesNotAddARemovedRowAgain() {
		this.fixture.callersMoveTheClock().start(false, true, 500);
		this.fixture.generator.nextId("a");
		this.fixture.store.remove("a");
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.generator.nextId("a"))
			.withMessageContaining("The row was removed while this process was running");
	}

	@Test
	void aRefreshThatMissesARowDoesNotStopItsKey() {
		boolean[] lagging = { false };
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> findAll() {
				return lagging[0] ? List.of() : super.findAll();
			}
		};
		this.fixture.store.put("order", 1, 10).put("payment", 1, 10);
		this.fixture.start();
		this.fixture.nextId("order");
		lagging[0] = true;
		this.fixture.store.remove("payment");
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(2);
		assertThat(this.fixture.generator.status()).containsOnlyKeys("order");
	}

	@Test
	void aRefreshDoesNotStopAKeyWhoseRowCannotBeReadAgain() {
		boolean[] lagging = { false };
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> findAll() {
				if (lagging[0]) {
					failWith(InMemorySegmentStore.down());
					return List.of();
				}
				return super.findAll();
			}
		};
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		lagging[0] = true;
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(2);
		assertThat(this.fixture.generator.rowsFailure()).hasMessage("the store is down");
	}

	/**
	 * An executor that runs tasks at once, and in which memory is exhausted when a task
	 * is scheduled.
	 */
	private static final class FailingExecutor extends ManualScheduler {

		private int errors;

		/**
		 * Whether a task is scheduled although an error is thrown.
		 */
		private boolean scheduled;

		private Runnable beforeError = () -> {
		};

		@Override
		public void execute(Runnable command) {
			command.run();
		}

		@Override
		public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
			boolean error = this.errors-- > 0;
			ScheduledFuture<?> task = (!error || this.scheduled) ? super.schedule(command, delay, unit) : null;
			if (error) {
				this.beforeError.run();
				throw new OutOfMemoryError("injected");
			}
			return Objects.requireNonNull(task);
		}

	}

	private final FailingExecutor failing = new FailingExecutor();

	private KeyLookUps failingLookUps() {
		return new KeyDirectory(this.fixture.store, TestSettings.DEFAULTS,
				SegmentFixture.environment(this.failing, SegmentEnvironment::park))
			.lookUps();
	}

	@Test
	void anErrorOfTheExecutorFailsWaitingCallersButNoLaterOnes() {
		this.fixture.store.put("order", 1, 10);
		KeyLookUps lookUps = failingLookUps();
		this.failing.errors = 1;
		LookUp failed = lookUps.request("order");
		assertThat(failed.isOpen()).isTrue();
		LookUp later = lookUps.request("order");
		this.failing.run();
		assertThat(lookUps.result(later, null).key()).isEqualTo("order");
	}

	@Test
	void aLookUpThatHasFailedIsNotReportedAsAnUnknownKeyLater() {
		KeyLookUps lookUps = failingLookUps();
		this.failing.errors = 1;
		LookUp failed = lookUps.request("order");
		lookUps.request("invoice");
		this.failing.run();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> lookUps.result(failed, null))
			.withCauseInstanceOf(OutOfMemoryError.class);
	}

	@Test
	void lookUpsThatHaveFailedDoNotPileUp() {
		KeyLookUps lookUps = failingLookUps();
		this.failing.errors = 100;
		for (int i = 0; i < 100; i++) {
			assertThat(lookUps.request("key" + i).isOpen()).isTrue();
		}
		assertThat(lookUps).extracting("queue", InstanceOfAssertFactories.COLLECTION).isEmpty();
	}

	@Test
	void aTaskThatRunsAlthoughItsSchedulingFailedDoesNotShortenThePause() {
		List<Duration> reads = new ArrayList<>();
		KeyLookUps[] lookUps = new KeyLookUps[1];
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				reads.add(Duration.ofNanos(KeyDirectoryTests.this.failing.nanoTime()));
				// another caller arrives
				lookUps[0].request("key" + reads.size());
				return super.find(keys);
			}
		};
		lookUps[0] = failingLookUps();
		Duration start = Duration.ofNanos(this.failing.nanoTime());
		this.failing.errors = 1;
		this.failing.scheduled = true;
		lookUps[0].request("order");
		lookUps[0].request("order");
		this.failing.advance(KeyLookUps.PAUSE.multipliedBy(3));
		assertThat(reads).containsExactly(start, start.plus(KeyLookUps.PAUSE),
				start.plus(KeyLookUps.PAUSE.multipliedBy(2)), start.plus(KeyLookUps.PAUSE.multipliedBy(3)));
	}

	@Test
	void anErrorOfTheExecutorDoesNotFailLookUpsThatAnotherTaskReads() {
		this.fixture.store.put("order", 1, 10);
		KeyLookUps lookUps = failingLookUps();
		LookUp[] healthy = new LookUp[1];
		this.failing.errors = 1;
		this.failing.scheduled = true;
		this.failing.beforeError = () -> {
			this.failing.run();
			healthy[0] = lookUps.request("order");
		};
		lookUps.request("invoice");
		this.failing.advance(KeyLookUps.PAUSE);
		assertThat(healthy[0].failure()).isNull();
		assertThat(lookUps.result(healthy[0], null).key()).isEqualTo("order");
	}

	@Test
	void aLookUpWhoseCallerEndsWithAnErrorIsForgotten() {
		KeyLookUps lookUps = new KeyDirectory(this.fixture.store, TestSettings.DEFAULTS,
				SegmentFixture.environment(new ManualScheduler() {
					@Override
					public void execute(Runnable command) {
						throw new StackOverflowError("injected");
					}
				}, SegmentEnvironment::park))
			.lookUps();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> lookUps.lookUp("order"));
		assertThat(lookUps).extracting("queue", InstanceOfAssertFactories.COLLECTION).isEmpty();
	}

	@Test
	void theLargestIdOfAnEntityIsForgottenIfTheRowHasBeenSeenMeanwhile() {
		KeyDirectory keys = new KeyDirectory(this.fixture.store, TestSettings.DEFAULTS,
				SegmentFixture.environment(this.fixture.scheduler, SegmentEnvironment::park));
		keys.startAbove("order", 7);
		assertThat(keys.largestExistingId("order")).isEqualTo(7);
		this.fixture.store.put("order", 1, 10);
		keys.refresh();
		keys.startAbove("order", 7);
		assertThat(keys.largestExistingId("order")).isZero();
	}

	@Test
	void aTaskThatRunsAlthoughItsSchedulingFailedDoesNotReadNextToAnotherTask() {
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				List<SegmentRow> rows = super.find(keys);
				// this is what another thread would do meanwhile
				KeyDirectoryTests.this.failing.run();
				return rows;
			}
		};
		this.fixture.store.put("order", 1, 10);
		KeyLookUps lookUps = failingLookUps();
		this.failing.errors = 1;
		this.failing.scheduled = true;
		lookUps.request("order");
		LookUp order = lookUps.request("order");
		this.failing.run();
		assertThat(lookUps.result(order, null).key()).isEqualTo("order");
		assertThat(finds()).hasSize(1);
	}

	@Test
	void anErrorWhileRequestsAreCompletedDoesNotStopTheLookUps() {
		AtomicBoolean error = new AtomicBoolean(true);
		this.fixture.start();
		this.fixture.store.put("order", 1, 10);
		Object keys = ReflectionTestUtils.getField(this.fixture.generator, "keys");
		KeyLookUps lookUps = ((KeyDirectory) Objects.requireNonNull(keys)).lookUps();
		ReflectionTestUtils.setField(lookUps, "queue", new ConcurrentLinkedQueue<Object>() {
			@Override
			public boolean remove(Object request) {
				if (error.getAndSet(false)) {
					throw new OutOfMemoryError("injected");
				}
				return super.remove(request);
			}
		});
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
		this.fixture.store.put("invoice", 1, 10);
		assertThat(this.fixture.nextId("invoice")).isEqualTo(1);
	}

	@Test
	void aClosedGeneratorKeepsNoRequests() {
		KeyDirectory keys = new KeyDirectory(this.fixture.store, TestSettings.DEFAULTS,
				new SegmentEnvironment(this.fixture.scheduler, () -> SegmentFixture.NOW,
						this.fixture.scheduler::nanoTime, SegmentEnvironment::park, new Random(1)));
		keys.close();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> keys.lookUps().lookUp("order"));
		assertThat(keys.lookUps()).extracting("queue", InstanceOfAssertFactories.COLLECTION).isEmpty();
	}

}
