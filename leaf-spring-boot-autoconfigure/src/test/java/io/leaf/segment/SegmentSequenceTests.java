// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.leaf.IdSequence;
import io.leaf.InvalidRequestException;
import io.leaf.SegmentUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SegmentSequence}: a key, its two segments and the callers that wait.
 */
class SegmentSequenceTests {

	private final SegmentFixture fixture = new SegmentFixture();

	@Test
	void aSegmentBeginsWithItsLowerBoundAndEndsBeforeItsUpperBound() {
		this.fixture.startWith("order", 1, 2000);
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
		this.fixture.drawFromMemory("order", 1998);
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(2000);
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(2001);
	}

	@Test
	void idsAscendWithoutAGapOverManySegments() {
		this.fixture.startWith("order", 1, 7);
		assertThat(Stream.generate(() -> this.fixture.nextId("order")).limit(1000))
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 1000).boxed().toList());
	}

	@Test
	void theNumberAtTheMarkStartsTheFetchOfTheNextSegment() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.nextId("order");
		this.fixture.drawFromMemory("order", 99);
		assertThat(this.fixture.scheduler.pending()).as("only the refresh").isEqualTo(1);
		this.fixture.drawFromMemory("order", 1);
		assertThat(this.fixture.scheduler.pending()).as("the refresh and a fetch").isEqualTo(2);
		this.fixture.drawFromMemory("order", 500);
		assertThat(this.fixture.scheduler.pending()).isEqualTo(2);
		this.fixture.scheduler.run();
		assertThat(this.fixture.status("order").next()).isEqualTo(new SegmentStatus.Range(1001, 2001));
		assertThat(this.fixture.status("order").waits()).as("only the first caller").isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, 0.5, 1 })
	void prefetchAtDeterminesTheMark(double prefetchAt) {
		this.fixture.prefetchAt(prefetchAt).startWith("order", 0, 100);
		this.fixture.nextId("order");
		this.fixture.scheduler.run();
		int mark = (int) Math.min(99, 100 * prefetchAt);
		this.fixture.drawFromMemory("order", Math.max(0, mark - 1));
		this.fixture.scheduler.run();
		assertThat(this.fixture.status("order").fetches()).isEqualTo((mark == 0) ? 2 : 1);
		this.fixture.drawFromMemory("order", 1);
		this.fixture.scheduler.run();
		assertThat(this.fixture.status("order").fetches()).isEqualTo(2);
	}

	@Test
	void aSegmentOfOneNumberWorks() {
		this.fixture.startWith("order", 5, 1);
		assertThat(this.fixture.nextId("order")).isEqualTo(5);
		assertThat(this.fixture.nextId("order")).isEqualTo(6);
		assertThat(this.fixture.nextId("order")).isEqualTo(7);
	}

	@Test
	void nextIds_takesARangeInOneStep() {
		this.fixture.startWith("order", 1, 1000);
		assertThat(this.fixture.nextIds("order", 50)).containsExactly(LongStream.rangeClosed(1, 50).toArray());
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(51);
	}

	@Test
	void nextIds_thatContainsTheMarkStartsTheFetch() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.nextIds("order", 500);
		this.fixture.scheduler.run();
		assertThat(this.fixture.status("order").next()).isEqualTo(new SegmentStatus.Range(1001, 2001));
	}

	@Test
	void nextIds_crossesFromOneSegmentToTheNext() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextIds("order", 8);
		this.fixture.scheduler.run();
		this.fixture.store.put("order", 101, 10);
		assertThat(this.fixture.nextIds("order", 14)).containsExactly(9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
				101, 102);
	}

	@Test
	void nextIds_ofAMillionTakesOneFetchRegardlessOfTheStep() {
		this.fixture.startWith("order", 1, 10);
		assertThat(this.fixture.nextIds("order", 1_000_000)).isEqualTo(LongStream.rangeClosed(1, 1_000_000).toArray());
		assertThat(this.fixture.store.calls()).filteredOn((call) -> call.startsWith("allocate"))
			.startsWith("allocate order 1000000");
		assertThat(this.fixture.nextId("order")).isEqualTo(1_000_001);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, Integer.MIN_VALUE, 1_000_001, Integer.MAX_VALUE })
	void nextIds_refusesACountOutOfRange(int count) {
		this.fixture.startWith("order", 1, 10);
		IdSequence sequence = this.fixture.generator.sequence("order");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> this.fixture.generator.nextIds("order", count))
			.withMessage("A count must be from 1 to 1000000: was " + count);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> sequence.nextIds(count));
		assertThat(this.fixture.nextId("order")).as("nothing was drawn").isEqualTo(1);
	}

	@Test
	void callersWithoutANumberWaitForTheOneFetchInFlight() {
		this.fixture.startWith("order", 1, 10);
		List<CompletableFuture<Long>> callers = Stream
			.generate(() -> this.fixture.begin(() -> this.fixture.generator.nextId("order")))
			.limit(8)
			.toList();
		this.fixture.awaitWaits("order", 8);
		assertThat(callers).noneMatch(CompletableFuture::isDone);
		this.fixture.scheduler.run();
		assertThat(callers.stream().map(SegmentFixture::end)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
		assertThat(this.fixture.store.calls()).filteredOn((call) -> call.startsWith("allocate"))
			.as("the fetch that all callers wait for, and the one that a caller starts at the mark")
			.hasSizeBetween(1, 2);
		assertThat(this.fixture.status("order").waits()).isEqualTo(8);
	}

	@Test
	void aCallerGivesUpAfterTheAcquireTimeoutWithTheStoresFailureAsCause() {
		this.fixture.acquireTimeout(Duration.ofMillis(50)).startWith("order", 1, 10);
		SegmentStoreException down = InMemorySegmentStore.down();
		this.fixture.store.failWith(down);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.fixture.nextId("order"))
			.withMessage("No ID for key 'order': the store is down")
			.withCause(down)
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("order"));
	}

	@Test
	void aCallerGivesUpAfterTheAcquireTimeoutIfTheStoreDoesNotAnswer() {
		this.fixture.acquireTimeout(Duration.ofMillis(50)).startWith("order", 1, 10);
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"))
			.withMessageContaining("within 50 ms (leaf.segment.acquire-timeout)")
			.withNoCause();
	}

	@Test
	void anInterruptedCallerKeepsItsInterruptedStatus() {
		this.fixture.startWith("order", 1, 10);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"))
			.withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
	}

	@Test
	void drawingFromMemoryIgnoresAnInterrupt() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		Thread.currentThread().interrupt();
		assertThat(this.fixture.generator.nextId("order")).isEqualTo(2);
		assertThat(Thread.interrupted()).isTrue();
	}

}
