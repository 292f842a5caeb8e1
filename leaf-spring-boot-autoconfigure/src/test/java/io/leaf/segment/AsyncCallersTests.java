// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.leaf.IdSequence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests calls of {@link IdSequence#nextIdAsync()} on the threads of an application and of
 * the library.
 */
@Timeout(120)
class AsyncCallersTests {

	private static final int CALLS = 5000;

	private final CountDownLatch opened = new CountDownLatch(1);

	private final InMemorySegmentStore store = new InMemorySegmentStore() {
		@Override
		public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
			AsyncCallersTests.await(AsyncCallersTests.this.opened);
			return super.allocate(key, size, floor, timeout);
		}
	}.put("order", 1, 10);

	@ParameterizedTest
	@EnumSource
	void callsThatWaitAndCallsThatDoNotGetDifferentIds(Ordering ordering) {
		this.opened.countDown();
		try (SegmentIdGenerator generator = generator(ordering)) {
			IdSequence sequence = generator.sequence("order");
			Set<Long> ids = ConcurrentHashMap.newKeySet();
			List<CompletableFuture<?>> callers = new ArrayList<>();
			for (int i = 0; i < 2; i++) {
				callers.add(CompletableFuture
					.runAsync(() -> IntStream.range(0, CALLS / 10).forEach((call) -> ids.add(sequence.nextId()))));
				callers.add(CompletableFuture.supplyAsync(
						() -> Stream.generate(() -> sequence.nextIdAsync().toCompletableFuture()).limit(CALLS).toList())
					.thenAccept((calls) -> calls.forEach((call) -> ids.add(call.join()))));
			}
			callers.forEach(CompletableFuture::join);
			assertThat(ids).hasSize(2 * (CALLS / 10 + CALLS));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "STRICT", "GLOBAL" })
	void aCallThatBeginsWhenAnotherHasCompletedGetsALargerId(Ordering ordering) {
		this.opened.countDown();
		try (SegmentIdGenerator generator = generator(ordering); SegmentIdGenerator other = generator(ordering)) {
			List<SegmentIdGenerator> generators = (ordering == Ordering.GLOBAL) ? List.of(generator, other)
					: List.of(generator);
			long last = 0;
			for (int i = 0; i < 500; i++) {
				IdSequence sequence = generators.get(i % generators.size()).sequence("order");
				long id = (i % 3 == 0) ? sequence.nextId() : sequence.nextIdAsync().toCompletableFuture().join();
				assertThat(id).isGreaterThan(last);
				last = id;
			}
		}
	}

	@Test
	void dependentFunctionsThatBlockDoNotStopTheFetches() throws InterruptedException {
		try (SegmentIdGenerator generator = generator(Ordering.GLOBAL)) {
			IdSequence sequence = generator.sequence("order");
			CountDownLatch held = new CountDownLatch(1);
			CountDownLatch blocked = new CountDownLatch(1);
			CompletableFuture<?>[] blocking = Stream.generate(() -> sequence.nextIdAsync().thenAccept((id) -> {
				blocked.countDown();
				await(held);
			}).toCompletableFuture()).limit(100).toArray(CompletableFuture<?>[]::new);
			this.opened.countDown();
			assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(generator.nextId("order")).isPositive();
			held.countDown();
			CompletableFuture.allOf(blocking).join();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	private SegmentIdGenerator generator(Ordering ordering) {
		SegmentIdGenerator generator = new SegmentIdGenerator(this.store,
				new SegmentFixture().ordering(ordering).settings);
		generator.start();
		return generator;
	}

}
