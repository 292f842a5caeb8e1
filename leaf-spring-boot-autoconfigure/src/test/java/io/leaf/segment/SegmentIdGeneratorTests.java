// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.leaf.IdGenerator;
import io.leaf.IdGeneratorContract;
import io.leaf.IdSequence;
import io.leaf.InvalidRequestException;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SegmentIdGenerator}: keys that are added and removed, and how a
 * generator starts and closes.
 */
class SegmentIdGeneratorTests {

	private final SegmentFixture fixture = new SegmentFixture();

	private long calls(String prefix) {
		return this.fixture.store.calls().stream().filter((call) -> call.startsWith(prefix)).count();
	}

	@Test
	void start_readsTheRowsAndFetchesNothing() {
		this.fixture.store.put("a", 1, 10).put("b", 1, 10);
		this.fixture.start();
		assertThat(this.fixture.store.calls()).containsExactly("findAll");
		assertThat(this.fixture.generator.status()).containsOnlyKeys("a", "b");
	}

	@Test
	void start_withPreloadFetchesAFirstSegmentForEachKey() {
		this.fixture.store.put("a", 1, 10).put("b", 1, 10);
		this.fixture.start(true, true, 0);
		this.fixture.scheduler.run();
		assertThat(this.fixture.generator.nextId("a")).isEqualTo(1);
		assertThat(this.fixture.generator.nextId("b")).isEqualTo(1);
		assertThat(this.fixture.status("a").waits()).isZero();
	}

	@Test
	void start_withPreloadFetchesTheKeyThatACallerNeedsFirst() {
		putKeys(this.fixture);
		this.fixture.start(true, true, 0).scheduler.run();
		String last = this.fixture.store.calls().get(100);
		assertThat(last).startsWith("allocate ");
		String key = last.split(" ")[1];
		SegmentFixture again = new SegmentFixture();
		AtomicReference<CompletableFuture<Long>> caller = new AtomicReference<>();
		again.store = new InMemorySegmentStore() {

			@Override
			public @Nullable Allocation allocate(String allocated, long size, long floor, Duration timeout) {
				if (caller.get() == null) {
					caller.set(again.begin(() -> again.generator.nextId(key)));
					again.awaitWaits(key, 1);
				}
				return super.allocate(allocated, size, floor, timeout);
			}

		};
		putKeys(again);
		again.start(true, true, 0).scheduler.run();
		assertThat(SegmentFixture.end(caller.get())).isEqualTo(1);
		assertThat(again.store.calls().subList(1, 4)).contains(last);
		assertThat(again.store.calls()).hasSize(101).doesNotHaveDuplicates();
	}

	private static void putKeys(SegmentFixture fixture) {
		IntStream.range(0, 100).forEach((i) -> fixture.store.put("key" + i, 1, 10));
	}

	@Test
	void start_failsIfTheRowsCannotBeRead() {
		SegmentStoreException down = InMemorySegmentStore.down();
		this.fixture.store.failWith(down);
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(this.fixture::start).isSameAs(down);
		assertThat(this.fixture.scheduler.isShutdown()).isTrue();
		assertThat(Duration.ofNanos(this.fixture.scheduler.nanoTime())).isBetween(Duration.ofSeconds(10),
				Duration.ofSeconds(15));
	}

	@Test
	void start_failsAtOnceIfTheStoreRefuses() {
		this.fixture.store.failWith(new SegmentStoreException("there is no table", null, true));
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(this.fixture::start);
		assertThat(this.fixture.store.calls()).containsExactly("findAll");
	}

	@Test
	void start_waitsForAStoreThatBecomesAvailableLater() {
		this.fixture.store.put("order", 1, 10).failWith(InMemorySegmentStore.down());
		this.fixture.scheduler.schedule(() -> this.fixture.store.failWith(null), 5, TimeUnit.SECONDS);
		this.fixture.start();
		assertThat(this.fixture.generator.status()).containsOnlyKeys("order");
	}

	@Test
	void start_withoutFailFastContinuesAndFindsTheKeysLater() {
		this.fixture.store.put("order", 1, 10).failWith(InMemorySegmentStore.down());
		this.fixture.start(false, false, 0);
		IdSequence sequence = this.fixture.generator.sequence("order");
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.fixture.nextId("order"))
			.withMessageContaining("the store is down")
			.withCauseInstanceOf(SegmentStoreException.class);
		this.fixture.store.failWith(null);
		this.fixture.scheduler.advance(KeyLookUps.PAUSE);
		assertThat(this.fixture.run(sequence::nextId)).isEqualTo(1);
		assertThat(this.fixture.nextId("order")).isEqualTo(2);
		assertThat(sequence.nextIds(2)).containsExactly(3, 4);
		assertThat(sequence.key()).isEqualTo("order");
	}

	@Test
	void refresh_readsTheRowsEverySixtySeconds() {
		this.fixture.start();
		this.fixture.scheduler.advance(Duration.ofMinutes(10));
		assertThat(this.fixture.store.calls()).containsOnly("findAll").hasSize(11);
	}

	@Test
	void refresh_continuesAfterAFailure() {
		this.fixture.start();
		this.fixture.store.put("order", 1, 10).failWith(InMemorySegmentStore.down());
		this.fixture.scheduler.advance(Duration.ofMinutes(3));
		assertThat(this.fixture.generator.status()).isEmpty();
		this.fixture.store.failWith(null);
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThat(this.fixture.generator.status()).containsOnlyKeys("order");
	}

	@Test
	void aNewRowIsFoundAtOnce() {
		this.fixture.start();
		this.fixture.store.put("order", 7, 10);
		assertThat(this.fixture.nextId("order")).isEqualTo(7);
	}

	@Test
	void autoCreate_addsTheRow() {
		this.fixture.start(false, true, 500);
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
		assertThat(this.fixture.store.row("order")).isEqualTo(new SegmentRow("order", 501, 500));
	}

	@Test
	void aRemovedRowStopsOnlyItsKey() {
		this.fixture.store.put("a", 1, 10).put("b", 1, 10);
		this.fixture.start();
		IdSequence a = this.fixture.generator.sequence("a");
		this.fixture.run(a::nextId);
		this.fixture.nextId("b");
		this.fixture.store.remove("a");
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.run(a::nextId));
		this.fixture.scheduler.advance(KeyLookUps.PAUSE);
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.nextId("a"));
		assertThat(this.fixture.generator.status("a")).isNull();
		assertThat(this.fixture.generator.status()).containsOnlyKeys("b");
		assertThat(this.fixture.generator.nextId("b")).isEqualTo(2);
	}

	@Test
	void theNumberOfKeysFollowsTheRows() {
		this.fixture.store.put("a", 1, 10).put("b", 1, 10);
		this.fixture.start();
		assertThat(this.fixture.generator.keyCount()).isEqualTo(2);
		assertThat(this.fixture.generator.usedStatus()).isEmpty();
		this.fixture.nextId("a");
		assertThat(this.fixture.generator.usedStatus()).containsOnlyKeys("a");
		this.fixture.store.remove("a");
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		assertThat(this.fixture.generator.keyCount()).isEqualTo(1);
		assertThat(this.fixture.generator.usedStatus()).isEmpty();
		this.fixture.store.put("a", 100, 10);
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		assertThat(this.fixture.generator.keyCount()).isEqualTo(2);
		assertThat(this.fixture.generator.usedStatus()).containsOnlyKeys("a");
		this.fixture.generator.close();
		assertThat(this.fixture.generator.keyCount()).isZero();
	}

	@Test
	void theKeyOfTheLastRowIsRemovedLikeAnyOther() {
		this.fixture.startWith("a", 1, 10);
		this.fixture.store.remove("a");
		this.fixture.scheduler.advance(Duration.ofSeconds(60));
		assertThat(this.fixture.generator.status()).isEmpty();
	}

	@Test
	void aRowFoundMissingByAFetchStopsItsKey() {
		this.fixture.startWith("a", 1, 10);
		this.fixture.store.remove("a");
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.fixture.nextId("a"));
		this.fixture.store.put("a", 50, 10);
		this.fixture.scheduler.advance(KeyLookUps.PAUSE);
		assertThat(this.fixture.nextId("a")).isEqualTo(50);
	}

	@Test
	void aKeyMustHaveOneTo128Characters() {
		this.fixture.start();
		SegmentIdGenerator generator = this.fixture.generator;
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator.nextId(null))
			.withMessage("A key must have 1 to 128 characters: was null");
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator.nextIds("", 1))
			.withMessage("A key must have 1 to 128 characters: '' has 0");
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator.sequence("x".repeat(129)))
			.withMessageContaining("has 129");
		assertThat(calls("find ")).isZero();
		this.fixture.store.put("x".repeat(128), 1, 10);
		assertThat(this.fixture.nextId("x".repeat(128))).isEqualTo(1);
	}

	@Test
	void rowsWithInvalidKeysAreIgnored() {
		this.fixture.store.put("", 1, 10).put("x".repeat(129), 1, 10);
		this.fixture.start();
		assertThat(this.fixture.generator.status()).isEmpty();
	}

	@Test
	void close_givesTheUnusedNumbersBack() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextIds("order", 30);
		this.fixture.scheduler.run();
		assertThat(this.fixture.store.row("order").maxId()).as("two segments").isEqualTo(201);
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(31);
	}

	@Test
	void close_givesBackOnlyTheLastSegmentIfAnotherProcessAllocatedBetweenTheTwo() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextIds("order", 5);
		this.fixture.store.put("order", 501, 100);
		this.fixture.drawFromMemory("order", 20);
		this.fixture.scheduler.run();
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(501);
	}

	@Test
	void close_givesNothingBackIfAnotherProcessAllocatedSince() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextIds("order", 5);
		this.fixture.store.put("order", 1101, 100);
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(1101);
	}

	@Test
	void close_givesBackNoNumbersThatALostAnswerMayHaveAllocated() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextIds("order", 5);
		this.fixture.store.loseAnswers(true);
		this.fixture.drawFromMemory("order", 20);
		this.fixture.scheduler.run();
		this.fixture.store.loseAnswers(false);
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(201);
	}

	@Test
	void close_isRepeatableAndStopsEveryCall() {
		this.fixture.startWith("order", 1, 100);
		IdSequence sequence = this.fixture.generator.sequence("order");
		this.fixture.nextId("order");
		this.fixture.generator.close();
		this.fixture.generator.close();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(sequence::nextId)
			.withMessageContaining("closed");
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("unseen"))
			.withMessageContaining("closed");
		assertThat(calls("giveBack")).isEqualTo(1);
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(2);
	}

	@Test
	void close_wakesCallersThatWait() {
		this.fixture.startWith("order", 1, 100);
		var caller = this.fixture.begin(() -> this.fixture.generator.nextId("order"));
		this.fixture.awaitWaits("order", 1);
		this.fixture.generator.close();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> SegmentFixture.end(caller))
			.withMessageContaining("closed");
	}

	@Test
	void close_doesNotThrowIfTheStoreIsDown() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextId("order");
		this.fixture.store.failWith(InMemorySegmentStore.down());
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(101);
	}

	@Test
	void aBatchOfZeroOrFewerIdsLooksNoKeyUp() {
		this.fixture.start();
		int calls = this.fixture.store.calls().size();
		for (int count : new int[] { 0, -1 }) {
			assertThatExceptionOfType(InvalidRequestException.class)
				.isThrownBy(() -> this.fixture.generator.nextIds("unseen", count));
			assertThatExceptionOfType(InvalidRequestException.class)
				.isThrownBy(() -> this.fixture.generator.sequence("unseen").nextIds(count));
		}
		assertThat(this.fixture.store.calls()).hasSize(calls);
	}

	@Test
	void aBatchThatPassesTheMarkStartsTheFetch() {
		this.fixture.startWith("order", 1, 100);
		this.fixture.nextId("order");
		assertThat(this.fixture.status("order").fetches()).isOne();
		this.fixture.nextIds("order", 50);
		this.fixture.scheduler.run();
		assertThat(this.fixture.status("order").fetches()).isEqualTo(2);
	}

	@Test
	void aBatchRequestsTheNumbersThatItStillNeeds() {
		// otherwise the fetch requested at the mark may run before the caller requests
		// more
		this.fixture.callersMoveTheClock().startWith("order", 1, 10);
		this.fixture.generator.nextId("order");
		assertThat(this.fixture.generator.nextIds("order", 60)).hasSize(60).doesNotHaveDuplicates();
		assertThat(this.fixture.store.calls()).contains("allocate order 51");
	}

	@Test
	void anInterruptedStartFailsAndKeepsTheInterruptedStatus() {
		SegmentIdGenerator generator = new SegmentIdGenerator(this.fixture.store, TestSettings.DEFAULTS,
				this.fixture.environment());
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(generator::start)
			.withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).isTrue();
	}

	/**
	 * The contract in segment mode, with the threads of an application.
	 */
	@Nested
	class Contract extends IdGeneratorContract {

		private final SegmentIdGenerator generator = new SegmentIdGenerator(
				new InMemorySegmentStore().put("order", 1, 100), TestSettings.DEFAULTS);

		@BeforeEach
		void start() {
			this.generator.start();
		}

		@AfterEach
		void close() {
			this.generator.close();
		}

		@Override
		protected IdGenerator generator() {
			return this.generator;
		}

	}

}
