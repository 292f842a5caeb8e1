// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentStore.Unissued;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests a generator that is closed while its threads are working.
 */
class SegmentClosingTests {

	private final SegmentFixture fixture = new SegmentFixture();

	private static void awaitShutdown(SegmentEnvironment environment) {
		SegmentFixture.await().until(() -> environment.executor().isShutdown());
	}

	private static InMemorySegmentStore storeThatFindsAfterTheShutdown(SegmentEnvironment environment,
			AtomicBoolean finding) {
		return new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				finding.set(true);
				awaitShutdown(environment);
				return super.find(keys);
			}
		};
	}

	private static void assertClosed(CompletableFuture<Long> caller) {
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> SegmentFixture.end(caller))
			.withMessageContaining("closed");
	}

	@Test
	void aCallerWhoseKeyIsBeingLookedUpFails() {
		SegmentEnvironment environment = SegmentEnvironment.system();
		AtomicBoolean finding = new AtomicBoolean();
		InMemorySegmentStore store = storeThatFindsAfterTheShutdown(environment, finding);
		SegmentIdGenerator generator = new SegmentIdGenerator(store, TestSettings.DEFAULTS, environment);
		generator.start();
		store.put("order", 1, 10);
		CompletableFuture<Long> caller = this.fixture.begin(() -> generator.nextId("order"));
		SegmentFixture.await().untilTrue(finding);
		generator.close();
		assertClosed(caller);
	}

	@Test
	void aKeyThatARefreshFindsDuringClosingIsAlsoClosed() {
		SegmentEnvironment environment = SegmentEnvironment.system();
		AtomicInteger reads = new AtomicInteger();
		InMemorySegmentStore store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> findAll() {
				if (reads.incrementAndGet() > 1) {
					awaitShutdown(environment);
				}
				return super.findAll();
			}
		};
		SegmentIdGenerator generator = new SegmentIdGenerator(store,
				TestSettings.DEFAULTS.toBuilder()
					.acquireTimeout(Duration.ofSeconds(1))
					.refreshInterval(Duration.ofMillis(20))
					.build(),
				environment);
		generator.start();
		store.put("order", 1, 10);
		SegmentFixture.await().until(() -> reads.get() == 2);
		generator.close();
		assertClosed(this.fixture.begin(() -> generator.nextId("order")));
	}

	@Test
	void anInterruptedThreadGivesNumbersBack() {
		AtomicBoolean interrupted = new AtomicBoolean(true);
		InMemorySegmentStore store = new InMemorySegmentStore() {
			@Override
			public Set<String> giveBack(List<Unissued> unissued) {
				interrupted.set(Thread.currentThread().isInterrupted());
				return super.giveBack(unissued);
			}
		};
		store.put("order", 1, 10);
		SegmentIdGenerator generator = new SegmentIdGenerator(store, TestSettings.DEFAULTS);
		generator.start();
		assertThat(generator.nextId("order")).isEqualTo(1);
		Thread.currentThread().interrupt();
		generator.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(interrupted).as("while giving back").isFalse();
	}

	@Test
	void callersWhoseTasksDoNotRunFail() {
		this.fixture.store.put("order", 1, 10);
		this.fixture.acquireTimeout(Duration.ofMinutes(1));
		AtomicInteger submitted = new AtomicInteger();
		this.fixture.submitted = (task) -> submitted.incrementAndGet();
		SegmentIdGenerator generator = new SegmentIdGenerator(this.fixture.store, this.fixture.settings,
				this.fixture.environment());
		CompletableFuture<Void> started = this.fixture.begin(() -> {
			generator.start();
			return null;
		});
		SegmentFixture.await().until(() -> {
			this.fixture.scheduler.run();
			return started.isDone();
		});
		CompletableFuture<Long> fetching = this.fixture.begin(() -> generator.nextId("order"));
		CompletableFuture<Long> lookingUp = this.fixture.begin(() -> generator.nextId("unseen"));
		SegmentFixture.await().until(() -> submitted.get() == 2);
		generator.close();
		assertClosed(fetching);
		assertClosed(lookingUp);
		assertClosed(this.fixture.begin(() -> generator.nextId("order")));
		assertClosed(this.fixture.begin(() -> generator.nextId("unseen")));
		assertThat(submitted).as("no task after closing").hasValue(2);
	}

	@Test
	void aCallerWhoseLookUpWaitsForAnotherFails() {
		SegmentEnvironment environment = SegmentEnvironment.system();
		AtomicBoolean finding = new AtomicBoolean();
		InMemorySegmentStore store = storeThatFindsAfterTheShutdown(environment, finding);
		SegmentIdGenerator generator = new SegmentIdGenerator(store,
				this.fixture.acquireTimeout(Duration.ofMinutes(1)).settings, environment);
		generator.start();
		CompletableFuture<Long> first = this.fixture.begin(() -> generator.nextId("a"));
		SegmentFixture.await().untilTrue(finding);
		CompletableFuture<Long> second = this.fixture.begin(() -> generator.nextId("b"));
		generator.close();
		assertClosed(first);
		assertClosed(second);
	}

	@Test
	void noCallerWaitsAfterAFailedStart() {
		this.fixture.store.failWith(new SegmentStoreException("there is no table", null, true));
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(this.fixture::start);
		assertClosed(this.fixture.begin(() -> this.fixture.generator.nextId("order")));
	}

	@Test
	void aClosedSequenceStaysClosed() {
		this.fixture.store.put("order", 1, 10);
		SegmentEnvironment environment = this.fixture.environment();
		SegmentSequence sequence = new SegmentSequence("order", this.fixture.store, TestSettings.DEFAULTS, environment,
				new KeyDirectory(this.fixture.store, TestSettings.DEFAULTS, environment));
		sequence.close();
		this.fixture.scheduler.shutdown();
		sequence.rowRemoved();
		sequence.rowSeen(new SegmentRow("order", 1, 10));
		assertClosed(this.fixture.begin(sequence::nextId));
	}

	/**
	 * Closes a generator whose keys have unused numbers, with a store that first runs an
	 * action.
	 * @return the keys in each call of {@code giveBack}
	 */
	private List<List<String>> givenBack(int count, Runnable first) {
		List<List<String>> keys = new ArrayList<>();
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public Set<String> giveBack(List<Unissued> unissued) {
				keys.add(unissued.stream().map(Unissued::key).toList());
				first.run();
				return super.giveBack(unissued);
			}
		};
		for (int i = 0; i < count; i++) {
			this.fixture.store.put(key(i), 1, 10);
		}
		this.fixture.start();
		for (int i = 0; i < count; i++) {
			this.fixture.nextId(key(i));
		}
		this.fixture.generator.close();
		return keys;
	}

	private static String key(int number) {
		return "key%03d".formatted(number);
	}

	@Test
	void manyKeysGiveBackTheirNumbersInBoundedBatchesInTheOrderOfTheKeys() {
		List<List<String>> batches = givenBack(250, () -> {
		});
		assertThat(batches).extracting(List::size).containsExactly(100, 100, 50);
		assertThat(batches.stream().flatMap(List::stream)).isSorted().hasSize(250).doesNotHaveDuplicates();
		for (int i = 0; i < 250; i++) {
			assertThat(this.fixture.store.row(key(i)).maxId()).isEqualTo(2);
			assertThat(this.fixture.generator.lastStatus(key(i)).numbers().givenBack()).isEqualTo(9);
		}
	}

	@Test
	void numbersBelowAnAllocationOfAnotherProcessDoNotCountAsGivenBack() {
		givenBack(2, () -> this.fixture.store.put(key(1), 500, 10));
		assertThat(this.fixture.generator.lastStatus(key(0)).numbers().givenBack()).isEqualTo(9);
		assertThat(this.fixture.generator.lastStatus(key(1)).numbers().givenBack()).isZero();
		assertThat(this.fixture.store.row(key(1)).maxId()).isEqualTo(500);
	}

	@Test
	void anUnavailableStoreIsNotCalledForEachBatch() {
		assertThat(givenBack(150, () -> {
			throw InMemorySegmentStore.down();
		})).hasSize(1);
	}

	@Test
	void aSlowStoreIsNotCalledForEachBatch() {
		assertThat(givenBack(150, () -> this.fixture.scheduler.tick(Duration.ofMinutes(1)))).hasSize(1);
	}

	@Test
	void numbersAreGivenBackAtMostOnceAlthoughTheAnswerWasLost() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		this.fixture.store.loseAnswers(true);
		this.fixture.generator.close();
		this.fixture.store.loseAnswers(false);
		this.fixture.generator.close();
		assertThat(this.fixture.store.calls().stream().filter((call) -> call.startsWith("giveBack"))).hasSize(1);
	}

	@Test
	void nothingIsGivenBackIfThatIsDisabled() {
		this.fixture.giveBack(false).store.put("order", 1, 10);
		this.fixture.start();
		this.fixture.nextId("order");
		this.fixture.generator.close();
		assertThat(this.fixture.store.row("order").maxId()).isEqualTo(11);
	}

	@Test
	void closingKeepsTheInterruptedStatus() {
		SegmentEnvironment environment = SegmentEnvironment.system();
		SegmentIdGenerator generator = new SegmentIdGenerator(this.fixture.store, TestSettings.DEFAULTS, environment);
		generator.start();
		Thread.currentThread().interrupt();
		generator.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(environment.executor().isShutdown()).isTrue();
	}

}
