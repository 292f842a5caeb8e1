// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SegmentThreads}.
 */
class SegmentThreadsTests {

	@AutoClose("shutdownNow")
	private final SegmentThreads threads = new SegmentThreads();

	@Test
	void threadsAreDaemonsAndHaveNames() throws Exception {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		this.threads.execute(() -> thread.complete(Thread.currentThread()));
		assertThat(thread.get(10, TimeUnit.SECONDS).isDaemon()).isTrue();
		assertThat(thread.get().getName()).matches("leaf-segment-[12]");
	}

	@Test
	void contextClassLoaderIsTheLibrarysRegardlessOfTheCreatingThread() throws Exception {
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

	@Test
	void aCallerWhoseStackOverflowsLeavesNoLockBehind() throws Exception {
		AtomicInteger overflows = new AtomicInteger();
		for (int i = 0; i < 1_000; i++) {
			long stack = (128L << 10) + i % 64 * 16;
			Thread caller = new Thread(null, new DeepCaller(this.threads, i % 2 == 0, overflows), "caller", stack);
			caller.setDaemon(true);
			caller.start();
			caller.join(TimeUnit.SECONDS.toMillis(10));
			assertThat(caller.isAlive()).as("caller %d hangs", i).isFalse();
		}
		assertThat(overflows).hasPositiveValue();
		assertThat(this.threads.submit(() -> 1).get(10, TimeUnit.SECONDS)).isEqualTo(1);
	}

	/**
	 * Fills its stack, and then submits tasks with as little stack left as possible. Only
	 * a few of the resulting overflows happen inside the queue, and only compiled code
	 * can leave the lock behind.
	 */
	private static final class DeepCaller implements Runnable {

		private final SegmentThreads threads;

		private final boolean wideFrames;

		private final AtomicInteger overflows;

		private int left = 3;

		DeepCaller(SegmentThreads threads, boolean wideFrames, AtomicInteger overflows) {
			this.threads = threads;
			this.wideFrames = wideFrames;
			this.overflows = overflows;
		}

		@Override
		public void run() {
			try {
				dive(1);
			}
			catch (StackOverflowError ex) {
				// as intended
			}
		}

		private long dive(long depth) {
			long wide = 0;
			try {
				wide = this.wideFrames ? dive(depth + 1) * depth : dive(depth + 1);
			}
			catch (StackOverflowError ex) {
				// as intended
			}
			if (this.left > 0) {
				this.left--;
				submit();
			}
			return wide + depth;
		}

		private void submit() {
			try {
				this.threads.execute(() -> {
				});
			}
			catch (StackOverflowError ex) {
				this.overflows.incrementAndGet();
			}
		}

	}

}
