// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.leaf.ManualAsyncExecutor;
import io.leaf.ManualScheduler;
import io.leaf.segment.SegmentEnvironment.LatchWait;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * A generator with a manual clock and a store in memory.
 */
class SegmentFixture {

	static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

	final ManualScheduler scheduler = new ManualScheduler() {
		@Override
		public void execute(Runnable task) {
			SegmentFixture.this.submitted.execute(task);
		}
	};

	/**
	 * Receives the tasks that callers submit.
	 */
	Executor submitted = (task) -> this.scheduler.schedule(task, 0, TimeUnit.NANOSECONDS);

	LatchWait waits = (latch, nanos) -> latch.await(nanos, TimeUnit.NANOSECONDS);

	/**
	 * Continues asynchronous calls.
	 */
	final ManualAsyncExecutor async = new ManualAsyncExecutor(this.scheduler::nanoTime);

	InMemorySegmentStore store = new InMemorySegmentStore();

	SegmentSettings settings = TestSettings.DEFAULTS;

	SegmentIdGenerator generator;

	/**
	 * Sets how long callers wait. This is measured in real time, because they park.
	 */
	SegmentFixture acquireTimeout(Duration timeout) {
		this.settings = this.settings.toBuilder().acquireTimeout(timeout).build();
		return this;
	}

	SegmentFixture prefetchAt(double prefetchAt) {
		this.settings = this.settings.toBuilder().prefetchAt(prefetchAt).build();
		return this;
	}

	SegmentFixture ordering(Ordering ordering) {
		this.settings = this.settings.toBuilder().ordering(ordering).build();
		return this;
	}

	SegmentFixture giveBack(boolean giveBack) {
		this.settings = this.settings.toBuilder().giveBack(giveBack).build();
		return this;
	}

	/**
	 * Makes a waiting caller move the clock instead of parking, so that a test needs only
	 * one thread.
	 */
	SegmentFixture callersMoveTheClock() {
		this.waits = (latch, nanos) -> {
			long end = this.scheduler.nanoTime() + nanos;
			this.scheduler.run();
			while (latch.getCount() > 0 && this.scheduler.nanoTime() < end) {
				this.scheduler.advance(Duration.ofMillis(1));
			}
			return latch.getCount() == 0;
		};
		return this;
	}

	SegmentFixture start(boolean preload, boolean failFast, int autoCreateStep) {
		return start(
				this.settings.toBuilder().preload(preload).failFast(failFast).autoCreateStep(autoCreateStep).build());
	}

	SegmentFixture start(SegmentSettings settings) {
		this.settings = settings;
		this.generator = new SegmentIdGenerator(this.store, this.settings, new SegmentEnvironment(this.scheduler,
				() -> NOW, this.scheduler::nanoTime, this.waits, new Random(1), this.async));
		CompletableFuture<Void> started = begin(() -> {
			this.generator.start();
			return null;
		});
		await().until(() -> {
			if (!started.isDone()) {
				this.scheduler.advance(Duration.ofMillis(10));
			}
			return started.isDone();
		});
		end(started);
		return this;
	}

	SegmentFixture start() {
		return start(false, true, 0);
	}

	SegmentFixture startWith(String key, long maxId, long step) {
		this.store.put(key, maxId, step);
		return start();
	}

	/**
	 * Returns an environment in which callers park.
	 */
	SegmentEnvironment environment() {
		return environment(this.scheduler, SegmentEnvironment::park);
	}

	static SegmentEnvironment environment(ManualScheduler scheduler, LatchWait waits) {
		return new SegmentEnvironment(scheduler, () -> NOW, scheduler::nanoTime, waits, new Random(1));
	}

	/**
	 * Executes a call on a new thread, and runs the tasks of the library until the call
	 * returns.
	 */
	<T> T run(Supplier<T> call) {
		CompletableFuture<T> result = begin(call);
		await().until(() -> {
			this.scheduler.run();
			return result.isDone();
		});
		return end(result);
	}

	<T> CompletableFuture<T> begin(Supplier<T> call) {
		CompletableFuture<T> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				result.complete(call.get());
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		}, "caller");
		thread.setDaemon(true);
		thread.start();
		return result;
	}

	/**
	 * Returns the result of a call, or throws its exception.
	 */
	static <T> T end(CompletableFuture<T> result) {
		try {
			return result.get(10, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new AssertionError(ex.getCause());
		}
		catch (InterruptedException | TimeoutException ex) {
			throw new AssertionError("The call has not returned", ex);
		}
	}

	long nextId(String key) {
		return run(() -> this.generator.nextId(key));
	}

	long[] nextIds(String key, int count) {
		return run(() -> this.generator.nextIds(key, count));
	}

	/**
	 * Draws IDs from memory, without running tasks of the library.
	 */
	void drawFromMemory(String key, int count) {
		for (int i = 0; i < count; i++) {
			this.generator.nextId(key);
		}
	}

	SegmentStatus status(String key) {
		return this.generator.status(key);
	}

	void awaitWaits(String key, long waits) {
		await().until(() -> status(key).waits() == waits);
	}

	static ConditionFactory await() {
		return Awaitility.await()
			.pollInSameThread()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.atMost(Duration.ofSeconds(30));
	}

}
