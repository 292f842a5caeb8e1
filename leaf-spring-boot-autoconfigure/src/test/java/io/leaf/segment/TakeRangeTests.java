// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.leaf.UnknownKeyException;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.support.KeyPatterns;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SegmentIdGenerator#takeRange}.
 */
class TakeRangeTests {

	private final SegmentFixture fixture = new SegmentFixture().callersMoveTheClock();

	@Test
	void rangeFollowsTheNumbersIssuedBefore() {
		start(1, 100);
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(1);
		assertThat(take(10, 0)).isEqualTo(new Allocation(2, 12, 100));
		assertThat(take(10, 12)).isEqualTo(new Allocation(12, 22, 100));
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(22);
	}

	@Test
	void firstCallFetchesASegmentForLaterOnes() {
		start(1, 100);
		assertThat(take(10, 0)).isNull();
		this.fixture.scheduler.run();
		assertThat(take(10, 0)).isEqualTo(new Allocation(1, 11, 100));
	}

	@Test
	void rangeBelowTheFloorIsNotTaken() {
		start(1, 100);
		this.fixture.generator.nextId("order");
		assertThat(take(10, 3)).isNull();
		assertThat(take(10, 5_000)).isNull();
		assertThat(take(10, 2)).isEqualTo(new Allocation(2, 12, 100));
	}

	@Test
	void restThatIsTooSmallIsDroppedOnceTheNextSegmentIsAvailable() {
		start(1, 100);
		this.fixture.generator.nextId("order");
		assertThat(take(95, 0)).isEqualTo(new Allocation(2, 97, 100));
		assertThat(take(50, 0)).as("the mark has been passed, and the fetch has not ended").isNull();
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(97);
		this.fixture.scheduler.run();
		assertThat(take(50, 0)).isNotNull().satisfies((range) -> assertThat(range.from()).isEqualTo(101));
		assertThat(status().numbers().lost()).isEqualTo(3);
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(151);
	}

	@Test
	void numbersInMemoryAreHandedOutAlthoughTheStepOfTheRowIsNegative() {
		start(1, 100);
		this.fixture.generator.nextId("order");
		this.fixture.store.put("order", 101, -1);
		this.fixture.scheduler.advance(TestSettings.DEFAULTS.refreshInterval());
		assertThat(take(10, 0)).isEqualTo(new Allocation(2, 12, 0));
	}

	@Test
	void rangeThatContainsTheMarkFetchesTheNextSegment() {
		start(1, 100);
		this.fixture.generator.nextId("order");
		assertThat(take(99, 0)).isEqualTo(new Allocation(2, 101, 100));
		this.fixture.scheduler.run();
		assertThat(status().next()).isNull();
		assertThat(status().current()).satisfies((current) -> assertThat(current.from()).isEqualTo(101));
	}

	@Test
	void keysWithGlobalOrderingHaveNoNumbersInMemory() {
		this.fixture.ordering(Ordering.GLOBAL);
		start(1, 100);
		this.fixture.generator.nextId("order");
		assertThat(take(1, 0)).isNull();
	}

	@Test
	void unknownKeysAndClosedGeneratorsHaveNoRanges() {
		start(1, 100);
		this.fixture.generator.nextId("order");
		assertThat(this.fixture.generator.takeRange("other", 1, 0)).isNull();
		this.fixture.generator.close();
		assertThat(take(1, 0)).isNull();
	}

	@Test
	void noNumberIsInTwoRangesOrBothInARangeAndIssued() throws Exception {
		InMemorySegmentStore store = new InMemorySegmentStore();
		store.put("order", 1, 1_000);
		try (SegmentIdGenerator racing = new SegmentIdGenerator(store, TestSettings.DEFAULTS)) {
			racing.start();
			Set<Long> seen = ConcurrentHashMap.newKeySet();
			ExecutorService executor = Executors.newFixedThreadPool(4);
			for (int thread = 0; thread < 4; thread++) {
				boolean ranges = thread % 2 == 0;
				executor.execute(() -> {
					for (int i = 0; i < 3_000; i++) {
						if (!ranges) {
							add(seen, racing.nextId("order"));
							continue;
						}
						Allocation range = racing.takeRange("order", 1 + i % 7, 0);
						while (range == null) {
							// a segment is being fetched
							Thread.yield();
							range = racing.takeRange("order", 1 + i % 7, 0);
						}
						for (long id = range.from(); id < range.to(); id++) {
							add(seen, id);
						}
					}
				});
			}
			executor.shutdown();
			assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
			assertThat(seen).doesNotContain(-1L)
				.hasSize(2 * 3_000 + 2 * IntStream.range(0, 3_000).map((i) -> 1 + i % 7).sum());
		}
	}

	private static void add(Set<Long> seen, long id) {
		if (!seen.add(id)) {
			seen.add(-1L);
		}
	}

	@Test
	void rowsAreAddedOnlyForKeysThatThePatternsMatch() {
		this.fixture.start(TestSettings.DEFAULTS.toBuilder()
			.autoCreateStep(10)
			.autoCreateKeys(new KeyPatterns(List.of("order-*", "a.b")))
			.build());
		assertThat(this.fixture.generator.nextId("order-1")).isEqualTo(1);
		assertThat(this.fixture.generator.nextId("a.b")).isEqualTo(1);
		for (String other : new String[] { "orders", "ORDER-1", "axb", "my-order-1" }) {
			assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.generator.nextId(other))
				.withMessageContainingAll("'" + other + "'", "leaf.segment.auto-create.keys (now: order-*, a.b)");
		}
	}

	private void start(long maxId, long step) {
		this.fixture.startWith("order", maxId, step);
	}

	private Allocation take(long size, long floor) {
		return this.fixture.generator.takeRange("order", size, floor);
	}

	private SegmentStatus status() {
		SegmentStatus status = this.fixture.generator.status("order");
		assertThat(status).isNotNull();
		return status;
	}

}
