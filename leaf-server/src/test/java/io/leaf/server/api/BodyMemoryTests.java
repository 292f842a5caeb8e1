// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BodyMemory}.
 */
class BodyMemoryTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final BodyMemory memory = new BodyMemory(100_000);

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newCachedThreadPool();

	@Test
	void aBodyThatIsLargerThanTheLimitMustBeTheOnlyOne() {
		int small = this.memory.reserve(BodyMemory.SMALL);
		int large = this.memory.reserve(Long.MAX_VALUE);
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> this.memory.reserve(BodyMemory.SMALL + 1))
			.withMessageContaining("occupy the memory");
		assertThat(this.memory.reserve(BodyMemory.SMALL)).isEqualTo(small).isZero();
		this.memory.release(large);
		assertThat(this.memory.reserve(100_000)).isEqualTo(large).isEqualTo(100_000);
	}

	@Test
	void onlyAFewBodiesWaitForMemoryAndFurtherOnesAreRefusedAtOnce() {
		int other = this.memory.reserve(100_000);
		List<Future<Integer>> bodies = IntStream.rangeClosed(0, BodyMemory.MAX_WAITING)
			.mapToObj((i) -> this.threads.submit(() -> this.memory.reserve(10_000, LONG)))
			.toList();
		Awaitility.await().until(() -> bodies.stream().anyMatch(Future::isDone));
		assertThat(bodies).filteredOn(Future::isDone)
			.singleElement()
			.satisfies((refused) -> assertThat(refused).failsWithin(LONG)
				.withThrowableThat()
				.withCauseInstanceOf(RefusedException.class));
		this.memory.release(other);
		Awaitility.await().until(() -> bodies.stream().allMatch(Future::isDone));
		int rest = 100_000 - BodyMemory.MAX_WAITING * 10_000;
		assertThat(this.memory.reserve(rest)).isEqualTo(rest);
		Future<Integer> next = this.threads.submit(() -> this.memory.reserve(10_000, LONG));
		Awaitility.await().until(() -> waiting() == 1);
		this.memory.release(rest);
		Awaitility.await().until(next::isDone);
		assertThat(next).succeedsWithin(LONG);
	}

	private int waiting() {
		Semaphore free = (Semaphore) ReflectionTestUtils.getField(this.memory, "free");
		return free.getQueueLength();
	}

}
