// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;

import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StripedSequence}: a key with striped ordering.
 */
class StripedSequenceTests {

	private final SegmentFixture fixture = new SegmentFixture();

	@BeforeEach
	void striped() {
		this.fixture.ordering(Ordering.STRIPED);
	}

	/**
	 * Starts with a first segment whose first number has been drawn: before that, there
	 * is no segment to take a run from.
	 */
	private void start(long from, int step) {
		this.fixture.store.put("order", from - 1, step + 1);
		this.fixture.start();
		assertThat(this.fixture.nextId("order")).isEqualTo(from - 1);
	}

	private SegmentStatus.Current current() {
		return this.fixture.status("order").current();
	}

	private long nextId() {
		return this.fixture.generator.nextId("order");
	}

	private long nextIdOfAnotherStripe() {
		Stripes stripes = new Stripes();
		int own = stripes.own();
		while (true) {
			long id = this.fixture.run(() -> (stripes.own() != own) ? nextId() : -1);
			if (id != -1) {
				return id;
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 63, 64, 65, 129, 1000 })
	void aThreadDrawsEveryNumberRegardlessOfTheStepAndTheStart(int step) {
		for (long start : new long[] { 0, 1, 63, 64, 65, 1000 }) {
			this.fixture.store.put("order-" + start, start, step);
		}
		this.fixture.start();
		for (long start : new long[] { 0, 1, 63, 64, 65, 1000 }) {
			String key = "order-" + start;
			assertThat(this.fixture
				.run(() -> LongStream.generate(() -> this.fixture.generator.nextId(key)).limit(1500).toArray()))
				.as("from %d", start)
				.containsExactly(LongStream.range(start, start + 1500).toArray());
		}
	}

	@Test
	void aThreadDrawsFromItsOwnRun() {
		start(64, 1000);
		assertThat(nextId()).isEqualTo(64);
		assertThat(nextIdOfAnotherStripe()).isEqualTo(128);
		assertThat(nextId()).isEqualTo(65);
		assertThat(current()).isEqualTo(new SegmentStatus.Current(63, 1064, 192, 997));
	}

	@Test
	void nextIdsDrawsDirectlyFromTheSegment() {
		start(64, 1000);
		assertThat(nextId()).isEqualTo(64);
		assertThat(this.fixture.generator.nextIds("order", 3)).containsExactly(128, 129, 130);
		assertThat(nextId()).isEqualTo(65);
		assertThat(current().remaining()).isEqualTo(995);
	}

	@Test
	void theRunWithTheMarkStartsTheFetchOfTheNextSegment() {
		start(64, 1000);
		assertThat(current().from() + 100).isBetween(128L, 191L);
		this.fixture.drawFromMemory("order", 64);
		assertThat(this.fixture.scheduler.pending()).as("only the refresh").isEqualTo(1);
		this.fixture.drawFromMemory("order", 1);
		assertThat(this.fixture.scheduler.pending()).as("the refresh and a fetch").isEqualTo(2);
		this.fixture.drawFromMemory("order", 500);
		assertThat(this.fixture.scheduler.pending()).isEqualTo(2);
	}

	@Test
	void aRunIsUsedEvenIfItsSegmentIsUsedUp() {
		start(64, 128);
		assertThat(nextId()).isEqualTo(64);
		this.fixture.scheduler.run();
		assertThat(this.fixture.run(() -> this.fixture.generator.nextIds("order", 65)))
			.as("the rest of the segment, and one more number")
			.endsWith(190, 191, 192);
		assertThat(nextId()).isEqualTo(65);
		assertThat(current().remaining()).isEqualTo(128 + 62);
	}

	@Test
	void closingGivesBackTheRunRightBeforeTheRemainingNumbers() {
		start(64, 1000);
		this.fixture.drawFromMemory("order", 10);
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(74);
	}

	@Test
	void closingGivesBackNothingBelowANumberThatHasBeenIssued() {
		start(64, 1000);
		assertThat(nextId()).isEqualTo(64);
		assertThat(nextIdOfAnotherStripe()).isEqualTo(128);
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(129);
	}

	@Test
	void closingStopsAThreadThatHasARun() {
		start(64, 1000);
		assertThat(nextId()).isEqualTo(64);
		this.fixture.generator.close();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(this::nextId)
			.withMessageContaining("closed");
	}

	@Test
	void aRemovedRowStopsAThreadThatHasARun() {
		start(64, 1000);
		IdSequence sequence = this.fixture.generator.sequence("order");
		assertThat(sequence.nextId()).isEqualTo(64);
		this.fixture.store.remove("order");
		this.fixture.scheduler.advance(this.fixture.settings.refreshInterval());
		this.fixture.store.put("order", 2000, 100);
		this.fixture.scheduler.advance(this.fixture.settings.refreshInterval());
		assertThat(this.fixture.nextId("order")).isEqualTo(2000);
		assertThat(sequence.nextId()).isEqualTo(2001);
	}

	@Test
	void threadsDrawEveryNumberOnce() {
		InMemorySegmentStore store = this.fixture.store;
		store.put("order", 0, 1000);
		try (SegmentIdGenerator generator = new SegmentIdGenerator(store, this.fixture.settings)) {
			generator.start();
			CountDownLatch begin = new CountDownLatch(1);
			List<CompletableFuture<long[]>> threads = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				threads.add(this.fixture.begin(() -> {
					awaitUninterruptibly(begin);
					return LongStream.generate(() -> generator.nextId("order")).limit(10_000).toArray();
				}));
			}
			begin.countDown();
			long[] drawn = threads.stream().map(SegmentFixture::end).flatMapToLong(LongStream::of).sorted().toArray();
			assertThat(drawn).hasSize(80_000).doesNotHaveDuplicates();
			SegmentFixture.await().untilAsserted(() -> {
				SegmentStatus status = generator.status("order");
				SegmentStatus.Range next = status.next();
				long remaining = status.current().remaining() + ((next != null) ? next.to() - next.from() : 0);
				assertThat(drawn.length + remaining).isEqualTo(store.row("order").maxId());
			});
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
