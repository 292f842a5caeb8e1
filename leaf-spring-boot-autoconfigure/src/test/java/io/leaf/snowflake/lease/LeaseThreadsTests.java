// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseThreadsTests {

	private final LeaseThreads threads = LeaseThreads.system();

	@AfterEach
	void stop() {
		LeaseThreads.stop(this.threads.store());
		LeaseThreads.stop(this.threads.local());
	}

	@Test
	void threadsAreDaemonsAndHaveNames() throws Exception {
		CompletableFuture<Thread> store = new CompletableFuture<>();
		CompletableFuture<Thread> local = new CompletableFuture<>();
		LeaseThreads.later(this.threads.store(), Duration.ofMillis(1), () -> store.complete(Thread.currentThread()));
		this.threads.onLocal(() -> local.complete(Thread.currentThread()));
		assertThat(store.get(10, TimeUnit.SECONDS)).matches(Thread::isDaemon)
			.extracting(Thread::getName)
			.isEqualTo("leaf-lease-store");
		assertThat(local.get(10, TimeUnit.SECONDS)).matches(Thread::isDaemon)
			.extracting(Thread::getName)
			.isEqualTo("leaf-lease-clock");
	}

	@Test
	void contextClassLoaderIsAlwaysTheLibrarys() throws Exception {
		ClassLoader own = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
		try {
			CompletableFuture<ClassLoader> store = new CompletableFuture<>();
			CompletableFuture<ClassLoader> local = new CompletableFuture<>();
			this.threads.onStore(() -> store.complete(Thread.currentThread().getContextClassLoader()));
			this.threads.onLocal(() -> local.complete(Thread.currentThread().getContextClassLoader()));
			assertThat(store.get(10, TimeUnit.SECONDS)).isSameAs(LeaseThreads.class.getClassLoader());
			assertThat(local.get(10, TimeUnit.SECONDS)).isSameAs(LeaseThreads.class.getClassLoader());
		}
		finally {
			Thread.currentThread().setContextClassLoader(own);
		}
	}

	@Test
	void aTaskThatThrowsIsRepeated() throws Exception {
		CountDownLatch repeated = new CountDownLatch(3);
		LeaseThreads.repeat(this.threads.local(), Duration.ofMillis(1), () -> {
			repeated.countDown();
			throw new IllegalStateException("on purpose");
		});
		assertThat(repeated.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aTaskWhoseFailureCannotBeLoggedIsRepeated() throws Exception {
		CountDownLatch repeated = new CountDownLatch(3);
		LeaseThreads.repeat(this.threads.local(), Duration.ofMillis(1), () -> {
			repeated.countDown();
			throw new UnloggableError();
		});
		assertThat(repeated.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void delayedTasksAreDroppedWhenTheThreadsStop() {
		AtomicInteger runs = new AtomicInteger();
		LeaseThreads.later(this.threads.store(), Duration.ofHours(1), runs::incrementAndGet);
		LeaseThreads.repeat(this.threads.store(), Duration.ofHours(1), runs::incrementAndGet);
		LeaseThreads.repeat(this.threads.local(), Duration.ofHours(1), runs::incrementAndGet);
		assertThat(LeaseThreads.stop(this.threads.store())).isTrue();
		assertThat(LeaseThreads.stop(this.threads.local())).isTrue();
		this.threads.onStore(runs::incrementAndGet);
		assertThat(runs).hasValue(0);
	}

	@Test
	void stopReturnsIfItsCallerIsInterrupted() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		this.threads.onStore(() -> {
			begun.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.complete(true);
			}
		});
		assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
		Thread.currentThread().interrupt();
		assertThat(LeaseThreads.stop(this.threads.store())).as("all tasks have ended").isFalse();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
	}

	private static final class UnloggableError extends Error {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new OutOfMemoryError("on purpose");
		}

	}

}
