// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The threads that fetch.
 */
class SegmentThreadsTests {

	@AutoClose("shutdownNow")
	private final SegmentThreads threads = new SegmentThreads();

	@Test
	void theyKeepNoJvmAliveAndHaveNames() throws Exception {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		this.threads.execute(() -> thread.complete(Thread.currentThread()));
		assertThat(thread.get(10, TimeUnit.SECONDS).isDaemon()).isTrue();
		assertThat(thread.get().getName()).matches("leaf-segment-[12]");
	}

	@Test
	void theirContextClassLoaderIsTheLibrarysOnAnyCreatingThread() throws Exception {
		ClassLoader own = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
		SegmentThreads threads = new SegmentThreads();
		try {
			CompletableFuture<ClassLoader> loader = new CompletableFuture<>();
			threads.execute(() -> loader.complete(Thread.currentThread().getContextClassLoader()));
			assertThat(loader.get(10, TimeUnit.SECONDS)).isSameAs(SegmentThreads.class.getClassLoader());
		}
		finally {
			threads.shutdownNow();
			Thread.currentThread().setContextClassLoader(own);
		}
	}

	@Test
	void delayedTasksAreRemovedByCancellationAndShutdown() throws Exception {
		Future<?> cancelled = this.threads.schedule(() -> {
		}, 1, TimeUnit.HOURS);
		assertThat(this.threads.getQueue()).contains((Runnable) cancelled);
		cancelled.cancel(false);
		assertThat(this.threads.getQueue()).doesNotContain((Runnable) cancelled);
		this.threads.schedule(() -> {
		}, 1, TimeUnit.HOURS);
		this.threads.scheduleWithFixedDelay(() -> {
		}, 1, 1, TimeUnit.HOURS);
		this.threads.shutdown();
		assertThat(this.threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.threads.execute(() -> {
		}));
	}

}
