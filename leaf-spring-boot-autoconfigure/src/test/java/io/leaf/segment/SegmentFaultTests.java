// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

import io.leaf.ManualScheduler;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests rare failures, such as errors of the virtual machine.
 */
class SegmentFaultTests {

	private final SegmentFixture fixture = new SegmentFixture();

	private final AtomicInteger errors = new AtomicInteger();

	private void maybeFail() {
		if (this.errors.getAndDecrement() > 0) {
			throw new OutOfMemoryError("injected");
		}
	}

	private SegmentIdGenerator start(SegmentStore store, ManualScheduler scheduler, InstantSource clock) {
		SegmentIdGenerator generator = new SegmentIdGenerator(store, TestSettings.DEFAULTS,
				new SegmentEnvironment(scheduler, clock, scheduler::nanoTime, SegmentEnvironment::park, new Random(1)));
		await(scheduler, this.fixture.begin(() -> {
			generator.start();
			return null;
		}));
		return generator;
	}

	private static <T> T await(ManualScheduler scheduler, CompletableFuture<T> call) {
		SegmentFixture.await().until(() -> {
			if (!call.isDone()) {
				scheduler.advance(Duration.ofMillis(10));
			}
			return call.isDone();
		});
		return SegmentFixture.end(call);
	}

	@Test
	void anErrorWhileASegmentArrivesDoesNotStopTheKey() {
		this.fixture.store.put("order", 1, 10);
		SegmentIdGenerator generator = start(this.fixture.store, this.fixture.scheduler, () -> {
			maybeFail();
			return SegmentFixture.NOW;
		});
		this.errors.set(1);
		long id = await(this.fixture.scheduler, this.fixture.begin(() -> generator.nextId("order")));
		assertThat(id).as("the first segment is lost").isEqualTo(11);
	}

	@Test
	void anErrorInACallerThatRequestsASegmentDoesNotStopTheKey() {
		this.fixture.store.put("order", 1, 10);
		ManualScheduler scheduler = new ManualScheduler() {
			@Override
			public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
				maybeFail();
				return super.schedule(command, delay, unit);
			}
		};
		SegmentIdGenerator generator = start(this.fixture.store, scheduler, () -> SegmentFixture.NOW);
		this.errors.set(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> generator.nextId("order"));
		assertThat(await(scheduler, this.fixture.begin(() -> generator.nextId("order")))).isEqualTo(1);
	}

	@Test
	void aFetchThatWasSubmittedTwiceIsExecutedOnce() {
		this.fixture.store.put("order", 1, 10);
		ManualScheduler scheduler = new ManualScheduler() {
			@Override
			public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
				ScheduledFuture<?> task = super.schedule(command, delay, unit);
				maybeFail();
				return task;
			}
		};
		SegmentIdGenerator generator = start(this.fixture.store, scheduler, () -> SegmentFixture.NOW);
		this.errors.set(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> generator.nextId("order"));
		assertThat(await(scheduler, this.fixture.begin(() -> generator.nextId("order")))).isEqualTo(1);
		assertThat(this.fixture.store.row("order").maxId()).as("one fetch").isEqualTo(11);
	}

	@Test
	void anErrorInACallerThatLooksAKeyUpDoesNotStopTheKey() {
		ManualScheduler scheduler = new ManualScheduler() {
			@Override
			public void execute(Runnable command) {
				maybeFail();
				super.execute(command);
			}
		};
		SegmentIdGenerator generator = start(this.fixture.store, scheduler, () -> SegmentFixture.NOW);
		this.fixture.store.put("order", 1, 10);
		this.errors.set(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> generator.nextId("order"));
		assertThat(await(scheduler, this.fixture.begin(() -> generator.nextId("order")))).isEqualTo(1);
		assertThat(this.fixture.store.calls()).as("one read").containsOnlyOnce("find order");
	}

	@Test
	void anErrorDoesNotEndTheRefresh() {
		AtomicInteger reads = new AtomicInteger();
		InMemorySegmentStore store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> findAll() {
				if (reads.incrementAndGet() == 2) {
					throw new NoClassDefFoundError("a driver's bug");
				}
				return super.findAll();
			}
		};
		start(store, this.fixture.scheduler, () -> SegmentFixture.NOW);
		this.fixture.scheduler.advance(Duration.ofMinutes(5));
		assertThat(reads).hasValue(6);
	}

	@Test
	void anErrorWhileAFailedRefreshIsLoggedDoesNotEndTheRefresh() {
		AtomicInteger reads = new AtomicInteger();
		InMemorySegmentStore store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> findAll() {
				if (reads.incrementAndGet() == 2) {
					throw new IllegalStateException() {
						@Override
						public String getMessage() {
							throw new OutOfMemoryError("injected");
						}
					};
				}
				return super.findAll();
			}
		};
		SegmentIdGenerator generator = start(store, this.fixture.scheduler, () -> SegmentFixture.NOW);
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThat(generator.rowsFailure()).isInstanceOf(IllegalStateException.class);
		this.fixture.scheduler.advance(Duration.ofMinutes(4));
		assertThat(reads).hasValue(6);
		assertThat(generator.rowsFailure()).isNull();
	}

	@Test
	void anErrorWhileASlowFetchIsQueuedDoesNotStopTheKey() {
		AtomicInteger attempts = new AtomicInteger();
		ManualScheduler scheduler = this.fixture.scheduler;
		SegmentStore store = new InMemorySegmentStore() {
			@Override
			public Allocation allocate(String key, long size, long floor, Duration timeout) {
				if (attempts.incrementAndGet() == 1) {
					scheduler.tick(KeyAllocator.TIMEOUT);
					throw down();
				}
				return new Allocation(11, 21, 10);
			}
		};
		SegmentEnvironment environment = SegmentFixture.environment(scheduler, SegmentEnvironment::park);
		ReflectionTestUtils.setField(environment.slowFetches(), "waiting", new ConcurrentLinkedQueue<Runnable>() {
			@Override
			public boolean add(Runnable task) {
				maybeFail();
				return super.add(task);
			}
		});
		this.errors.set(1);
		Segment tail = new Segment(1, 11, 0.1, 0);
		SegmentFetcher fetcher = new SegmentFetcher(
				new KeyAllocator("order", TestSettings.DEFAULTS, store, environment), TestSettings.DEFAULTS,
				environment, () -> {
				});
		CountDownLatch fetch = fetcher.request(tail, 1);
		scheduler.advance(Duration.ofSeconds(2));
		assertThat(this.errors).hasValue(0);
		assertThat(fetch.getCount()).isZero();
		fetcher.request(tail, 1);
		scheduler.run();
		assertThat(tail.successor()).isNotNull();
	}

	@Test
	void aRowWithoutAKeyIsIgnored() {
		InMemorySegmentStore store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> findAll() {
				return List.of(new SegmentRow(null, 1, 10), new SegmentRow("order", 1, 10));
			}
		};
		assertThat(start(store, this.fixture.scheduler, () -> SegmentFixture.NOW).status()).containsOnlyKeys("order");
	}

	@Test
	void closeDoesNotThrowIfTheStoreThrowsAnotherException() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextId("order");
		this.fixture.store.failWith(new IllegalStateException("a driver's bug"));
		assertThatCode(this.fixture.generator::close).doesNotThrowAnyException();
	}

	@Test
	void lookUpsDoNotDelayAFetch() {
		this.fixture.acquireTimeout(Duration.ofMillis(1)).startWith("order", 1, 10);
		for (int i = 0; i < 200; i++) {
			String key = "unknown" + i;
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> this.fixture.generator.nextId(key));
		}
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"));
		this.fixture.scheduler.run();
		assertThat(this.fixture.store.calls().indexOf("allocate order 10")).as("calls before the allocation")
			.isLessThan(5);
	}

	@Test
	void autoCreateDoesNotAddARemovedRowAgain() {
		this.fixture.start(false, true, 10);
		this.fixture.nextId("order");
		// numbers that another process has been allocated, and that this process does not
		// know of
		this.fixture.store.put("order", 500, 10);
		this.fixture.store.remove("order");
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.nextId("order"));
		assertThat(this.fixture.store.row("order")).isNull();
	}

	@Test
	void anErrorWhileTheNextAttemptIsScheduledDoesNotStopTheKey() {
		this.fixture.store.put("order", 1, 10);
		this.fixture.store.failWith(InMemorySegmentStore.down());
		this.errors.set(1);
		Segment tail = new Segment(1, 11, 0.1, 0);
		SegmentFetcher fetcher = fetcher(() -> {
			maybeFail();
			return 1;
		}, () -> {
		});
		CountDownLatch fetch = fetcher.request(tail, 1);
		this.fixture.scheduler.run();
		assertThat(fetch.getCount()).isZero();
		this.fixture.store.failWith(null);
		fetcher.request(tail, 1);
		this.fixture.scheduler.run();
		assertThat(tail.successor()).isNotNull();
	}

	@Test
	void anErrorWhileARowIsReportedMissingDoesNotStopTheKey() {
		this.errors.set(1);
		Segment tail = new Segment(1, 11, 0.1, 0);
		SegmentFetcher fetcher = fetcher(new Random(1), this::maybeFail);
		CountDownLatch fetch = fetcher.request(tail, 1);
		this.fixture.scheduler.run();
		assertThat(this.errors).hasNonPositiveValue();
		assertThat(fetch.getCount()).isZero();
		this.fixture.store.put("order", 1, 10);
		fetcher.request(tail, 1);
		this.fixture.scheduler.run();
		assertThat(tail.successor()).isNotNull();
	}

	private SegmentFetcher fetcher(RandomGenerator random, Runnable rowMissing) {
		SegmentEnvironment environment = new SegmentEnvironment(this.fixture.scheduler, () -> SegmentFixture.NOW,
				this.fixture.scheduler::nanoTime, SegmentEnvironment::park, random);
		return new SegmentFetcher(new KeyAllocator("order", TestSettings.DEFAULTS, this.fixture.store, environment),
				TestSettings.DEFAULTS, environment, rowMissing);
	}

}
