// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AsyncThreads}, on which asynchronous calls run.
 */
@Timeout(60)
class AsyncThreadsTests {

	private final AsyncThreads threads = new AsyncThreads("test-async");

	@AfterEach
	void close() {
		this.threads.close();
	}

	@Test
	void noThreadIsStartedBeforeTheFirstStep() {
		assertThat(
				ReflectionTestUtils.<Object>invokeMethod(ReflectionTestUtils.getField(this.threads, "thread"), "get"))
			.isNull();
	}

	@Test
	void stepsOfSeveralThreadsRunOneAtATime() {
		AtomicBoolean running = new AtomicBoolean();
		AtomicInteger overlaps = new AtomicInteger();
		CountDownLatch steps = new CountDownLatch(4 * 10_000);
		List<CompletableFuture<Void>> callers = IntStream.range(0, 4).mapToObj((i) -> CompletableFuture.runAsync(() -> {
			for (int step = 0; step < 10_000; step++) {
				this.threads.execute(() -> {
					overlaps.addAndGet(running.getAndSet(true) ? 1 : 0);
					running.set(false);
					steps.countDown();
				});
			}
		})).toList();
		callers.forEach(CompletableFuture::join);
		await(steps);
		assertThat(overlaps).hasValue(0);
	}

	@Test
	void everyStepRunsAlthoughTheExecutorIsClosedMeanwhile() {
		for (int i = 0; i < 200; i++) {
			AsyncThreads threads = new AsyncThreads("test-closed");
			CountDownLatch steps = new CountDownLatch(100);
			CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> {
				for (int step = 0; step < 100; step++) {
					threads.execute(steps::countDown);
				}
			});
			threads.close();
			caller.join();
			await(steps);
		}
	}

	@Test
	void aDelayedStepRuns() {
		CountDownLatch delayed = new CountDownLatch(1);
		this.threads.execute(() -> this.threads.schedule(delayed::countDown, Duration.ofMillis(1).toNanos()));
		await(delayed);
	}

	@Test
	void delayedStepsRunInTheOrderOfTheirTime() {
		Queue<Integer> order = new ConcurrentLinkedQueue<>();
		CountDownLatch scheduled = new CountDownLatch(1);
		CountDownLatch last = new CountDownLatch(1);
		this.threads.execute(() -> {
			this.threads.schedule(last::countDown, Duration.ofHours(3).toNanos());
			this.threads.schedule(() -> order.add(2), Duration.ofHours(2).toNanos());
			this.threads.schedule(() -> order.add(1), Duration.ofHours(1).toNanos());
			this.threads.schedule(() -> order.add(0), Duration.ofHours(1).toNanos()).run();
			scheduled.countDown();
		});
		await(scheduled);
		// runs the delayed steps at once
		this.threads.close();
		await(last);
		assertThat(order).containsExactly(1, 2);
	}

	@Test
	void closingRunsTheDelayedSteps() {
		CountDownLatch delayed = new CountDownLatch(1);
		CountDownLatch scheduled = new CountDownLatch(1);
		this.threads.execute(() -> {
			this.threads.schedule(delayed::countDown, Duration.ofHours(1).toNanos());
			scheduled.countDown();
		});
		await(scheduled);
		this.threads.close();
		await(delayed);
		Thread thread = ReflectionTestUtils.invokeMethod(ReflectionTestUtils.getField(this.threads, "thread"), "get");
		Awaitility.await().until(() -> !thread.isAlive());
	}

	@Test
	void aStepThatFailsDoesNotStopTheOthers() {
		CountDownLatch next = new CountDownLatch(1);
		this.threads.execute(() -> {
			throw new OutOfMemoryError("injected");
		});
		this.threads.execute(next::countDown);
		await(next);
	}

	@Test
	void completionsThatBlockDoNotStopSteps() {
		CountDownLatch held = new CountDownLatch(1);
		for (int i = 0; i < 100; i++) {
			this.threads.complete(() -> await(held));
		}
		CountDownLatch step = new CountDownLatch(1);
		this.threads.execute(step::countDown);
		await(step);
		held.countDown();
	}

	@Test
	void completionsHaveTheClassLoaderOfTheLibrary() {
		CompletableFuture<ClassLoader> loader = new CompletableFuture<>();
		this.threads.complete(() -> loader.complete(Thread.currentThread().getContextClassLoader()));
		assertThat(loader.orTimeout(10, TimeUnit.SECONDS).join()).isSameAs(AsyncThreads.class.getClassLoader());
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
