// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HandOffTests {

	private static final int CALLERS = 4;

	private static final int TASKS = 50_000;

	private final AtomicReference<Thread> thread = new AtomicReference<>();

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicInteger ran = new AtomicInteger();

	private final HandOff handOff = new HandOff((task) -> {
		this.thread.set(Thread.currentThread());
		if (this.failures.getAndDecrement() > 0) {
			throw new OutOfMemoryError("not really");
		}
		task.run();
	});

	@AfterEach
	void close() {
		this.handOff.shutdownNow();
	}

	private void awaitRan(int tasks) {
		SegmentFixture.await().until(() -> this.ran.get() == tasks);
	}

	private Thread awaitIdle() {
		SegmentFixture.await()
			.until(() -> this.thread.get() != null && this.thread.get().getState() == Thread.State.WAITING);
		return this.thread.get();
	}

	@Test
	void passesTasksOnInTheirOrderFromAThreadOfItsOwn() {
		Queue<Integer> order = new ConcurrentLinkedQueue<>();
		for (int i = 0; i < 100; i++) {
			int number = i;
			this.handOff.execute(() -> order.add(number));
		}
		SegmentFixture.await().until(() -> order.size() == 100);
		assertThat(List.copyOf(order)).isSorted();
		assertThat(this.thread.get().getName()).isEqualTo("leaf-segment-hand-off");
		assertThat(this.thread.get().isDaemon()).isTrue();
	}

	@Test
	void theContextClassLoaderOfItsThreadIsTheLibrarysWhoeverCreatesIt() {
		ClassLoader own = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
		AtomicReference<ClassLoader> loader = new AtomicReference<>();
		HandOff created = new HandOff((task) -> loader.set(Thread.currentThread().getContextClassLoader()));
		try {
			created.execute(this.ran::incrementAndGet);
			SegmentFixture.await().until(() -> loader.get() != null);
			assertThat(loader).hasValue(HandOff.class.getClassLoader());
		}
		finally {
			created.shutdownNow();
			Thread.currentThread().setContextClassLoader(own);
		}
	}

	@Test
	void noWakeUpIsLost() throws InterruptedException {
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			Thread caller = new Thread(() -> {
				for (int task = 0; task < TASKS; task++) {
					this.handOff.execute(this.ran::incrementAndGet);
				}
			});
			caller.start();
			callers.add(caller);
		}
		for (Thread caller : callers) {
			caller.join();
		}
		awaitRan(CALLERS * TASKS);
		// each of these finds the thread about to park
		for (int i = 1; i <= 1000; i++) {
			this.handOff.execute(this.ran::incrementAndGet);
			awaitRan(CALLERS * TASKS + i);
		}
	}

	@Test
	void anInterruptedCallerHandsOverLikeAnyOther() {
		Thread.currentThread().interrupt();
		this.handOff.execute(this.ran::incrementAndGet);
		assertThat(Thread.interrupted()).isTrue();
		awaitRan(1);
	}

	@Test
	void aTaskThatTheExecutorFailsToTakeIsRun() {
		this.failures.set(1);
		this.handOff.execute(this.ran::incrementAndGet);
		awaitRan(1);
	}

	@Test
	void anErrorDoesNotKeepOtherTasksFromBeingPassedOn() {
		this.failures.set(1);
		this.handOff.execute(() -> {
			throw new StackOverflowError("not really");
		});
		this.handOff.execute(() -> {
			throw new IllegalStateException("a bug");
		});
		this.handOff.execute(this.ran::incrementAndGet);
		awaitRan(1);
	}

	@Test
	void aTaskThatTheExecutorRejectsIsDropped() {
		AtomicInteger asked = new AtomicInteger();
		Executor closed = (task) -> {
			asked.incrementAndGet();
			throw new RejectedExecutionException("shut down");
		};
		HandOff rejected = new HandOff(closed);
		rejected.execute(this.ran::incrementAndGet);
		rejected.execute(this.ran::incrementAndGet);
		SegmentFixture.await().until(() -> asked.get() == 2);
		rejected.shutdownNow();
		assertThat(this.ran).hasValue(0);
	}

	@Test
	void shutdownEndsTheThreadAndTakesNothingAnyMore() {
		this.handOff.execute(this.ran::incrementAndGet);
		Thread thread = awaitIdle();
		this.handOff.shutdownNow();
		SegmentFixture.await().until(() -> !thread.isAlive());
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> this.handOff.execute(this.ran::incrementAndGet));
		assertThat(this.ran).hasValue(1);
	}

	@Test
	void itEndsWithTheThreadsItServes() {
		SegmentThreads threads = new SegmentThreads();
		AtomicReference<Thread> worker = new AtomicReference<>();
		threads.handOff().execute(() -> worker.set(Thread.currentThread()));
		SegmentFixture.await().until(() -> worker.get() != null);
		assertThat(worker.get().getName()).startsWith("leaf-segment-").isNotEqualTo("leaf-segment-hand-off");
		threads.shutdown();
		SegmentFixture.await()
			.untilAsserted(() -> assertThatExceptionOfType(RejectedExecutionException.class)
				.isThrownBy(() -> threads.handOff().execute(this.ran::incrementAndGet)));
	}

}
