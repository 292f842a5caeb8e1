// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.leaf.ManualScheduler;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NewRows}: rows that are added when their keys are first requested.
 */
class NewRowsTests {

	private final SegmentFixture fixture = new SegmentFixture();

	private final AtomicInteger tasks = new AtomicInteger();

	/**
	 * Which task handed over to the executor fails with an error, counted from 1.
	 */
	private int failingTask;

	/**
	 * Whether all tasks fail with an error.
	 */
	private volatile boolean failing;

	private final ManualScheduler scheduler = new ManualScheduler() {

		@Override
		public void execute(Runnable command) {
			if (NewRowsTests.this.tasks.incrementAndGet() == NewRowsTests.this.failingTask
					|| NewRowsTests.this.failing) {
				throw new OutOfMemoryError("injected");
			}
			super.execute(command);
		}

	};

	/**
	 * Is called with a key while its row is being added.
	 */
	private Consumer<String> adding = (key) -> {
	};

	private final InMemorySegmentStore store = new InMemorySegmentStore() {

		@Override
		public void create(String key, int step, long from) {
			NewRowsTests.this.adding.accept(key);
			super.create(key, step, from);
		}

	};

	private final KeyDirectory keys = directory(this.store);

	private final KeyLookUps lookUps = this.keys.lookUps();

	private KeyDirectory other = this.keys;

	private KeyDirectory directory(SegmentStore store) {
		return new KeyDirectory(store, TestSettings.DEFAULTS.toBuilder().autoCreateStep(500).build(),
				SegmentFixture.environment(this.scheduler, SegmentEnvironment::park));
	}

	private List<String> calls(String prefix) {
		return this.store.calls().stream().filter((call) -> call.startsWith(prefix)).toList();
	}

	private void assertFound(LookUp lookUp, String key) {
		assertThat(lookUp.isOpen()).as(key).isTrue();
		assertThat(this.lookUps.result(lookUp, null).key()).isEqualTo(key);
	}

	private void assertFailed(LookUp lookUp, String message) {
		assertThat(lookUp.isOpen()).isTrue();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.lookUps.result(lookUp, null))
			.withMessageContaining(message);
	}

	private NewRows newRows() {
		return (NewRows) Objects.requireNonNull(ReflectionTestUtils.getField(this.lookUps, "newRows"));
	}

	private void assertNoneLeft() {
		assertThat(ReflectionTestUtils.getField(newRows(), "entries")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.isEmpty();
		assertThat(ReflectionTestUtils.getField(this.lookUps, "queue"))
			.asInstanceOf(InstanceOfAssertFactories.COLLECTION)
			.isEmpty();
	}

	/**
	 * Requests the key 'aa' on a thread of the library that is blocked while it adds the
	 * row.
	 */
	private Blocked block() {
		Blocked blocked = new Blocked();
		this.adding = (key) -> {
			if (key.equals("aa")) {
				blocked.begin();
			}
		};
		LookUp lookUp = this.lookUps.request("aa");
		blocked.thread = this.fixture.begin(() -> {
			this.scheduler.run();
			return lookUp;
		});
		SegmentFixture.await().until(() -> blocked.begun.getCount() == 0);
		return blocked;
	}

	@Test
	void aBlockedRowDelaysNoKeyThatHasARow() {
		this.store.put("order", 1, 10);
		Blocked blocked = block();
		LookUp existing = this.lookUps.request("order");
		LookUp fresh = this.lookUps.request("new");
		this.scheduler.run();
		assertFound(existing, "order");
		assertThat(fresh.isOpen()).isFalse();
		assertFound(blocked.end(), "aa");
		this.scheduler.run();
		assertFound(fresh, "new");
		assertNoneLeft();
	}

	@Test
	void aSlowFetchDelaysNoNewKey() {
		SegmentEnvironment environment = SegmentFixture.environment(this.scheduler, SegmentEnvironment::park);
		KeyDirectory directory = new KeyDirectory(this.store,
				TestSettings.DEFAULTS.toBuilder().autoCreateStep(500).build(), environment);
		LookUp[] fresh = new LookUp[1];
		environment.slowFetches().run(() -> {
			fresh[0] = directory.lookUps().request("new");
			this.scheduler.run();
			assertThat(fresh[0].isOpen()).isTrue();
		});
		assertThat(directory.lookUps().result(fresh[0], null).key()).isEqualTo("new");
	}

	@Test
	void aKeyWhoseRowIsBlockedIsNotReadAgainHoweverOftenItIsRequested() {
		Blocked blocked = block();
		List<LookUp> lookUps = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			lookUps.add(this.lookUps.request("aa"));
			this.scheduler.run();
		}
		assertThat(lookUps).noneMatch(LookUp::isOpen);
		assertThat(calls("find")).hasSize(1);
		blocked.end();
		lookUps.forEach((lookUp) -> assertFound(lookUp, "aa"));
		assertThat(calls("create")).hasSize(1);
		assertNoneLeft();
	}

	@Test
	void aRowThatCannotBeAddedFailsOnlyTheLookUpsOfItsKey() {
		this.adding = (key) -> {
			if (key.equals("b")) {
				throw InMemorySegmentStore.down();
			}
			if (key.equals("c")) {
				throw new NoClassDefFoundError("a driver's bug");
			}
		};
		List<LookUp> lookUps = List.of(this.lookUps.request("a"), this.lookUps.request("b"), this.lookUps.request("c"),
				this.lookUps.request("d"), this.lookUps.request("b"));
		this.scheduler.run();
		assertThat(calls("find")).as("one batch").first().isEqualTo("find a b c d");
		assertFound(lookUps.get(0), "a");
		assertFailed(lookUps.get(1), "the store is down");
		assertFailed(lookUps.get(2), "a driver's bug");
		assertFound(lookUps.get(3), "d");
		assertFailed(lookUps.get(4), "the store is down");
		assertThat(calls("create")).containsExactly("create a 500", "create d 500");
		assertNoneLeft();
	}

	@Test
	void aRowThatCannotBeAddedIsFollowedByAPause() {
		this.adding = (key) -> {
			if (key.equals("a")) {
				throw InMemorySegmentStore.down();
			}
		};
		this.lookUps.request("a");
		this.scheduler.run();
		LookUp next = this.lookUps.request("b");
		this.scheduler.advance(KeyLookUps.PAUSE.minusNanos(1));
		assertThat(next.isOpen()).isFalse();
		this.scheduler.advance(Duration.ofNanos(1));
		assertFound(next, "b");
	}

	@Test
	void closingEndsAllLookUpsAlthoughARowIsBlocked() {
		Blocked blocked = block();
		LookUp joined = this.lookUps.request("aa");
		LookUp waiting = this.lookUps.request("new");
		this.scheduler.run();
		LookUp queued = this.lookUps.request("queued");
		assertThat(List.of(joined, waiting, queued)).noneMatch(LookUp::isOpen);
		this.keys.close();
		this.scheduler.shutdown();
		for (LookUp lookUp : List.of(joined, waiting, queued)) {
			assertFailed(lookUp, "the generator is closed");
		}
		assertThat(blocked.end().isOpen()).isTrue();
		assertFailed(waiting, "the generator is closed");
		assertThat(calls("create")).containsExactly("create aa 500");
		assertThat(this.keys.find("aa").isIssuing()).isFalse();
	}

	@Test
	void aThousandRowsAreAddedOneAtATimeAndFetchesCanRunInBetween() {
		AtomicInteger running = new AtomicInteger();
		List<String> order = new ArrayList<>();
		this.adding = (key) -> {
			order.add(key);
			assertThat(running.incrementAndGet()).as("threads that add rows").isEqualTo(1);
			// this is what another thread would do meanwhile
			this.scheduler.run();
			if (key.equals("new0")) {
				this.scheduler.execute(() -> order.add("fetch"));
			}
			running.decrementAndGet();
		};
		List<LookUp> lookUps = IntStream.range(0, 1000).mapToObj((i) -> this.lookUps.request("new" + i)).toList();
		this.scheduler.run();
		for (int i = 0; i < lookUps.size(); i++) {
			assertFound(lookUps.get(i), "new" + i);
		}
		assertThat(order).hasSize(1001).startsWith("new0", "fetch", "new1");
		assertNoneLeft();
	}

	@Test
	void rowsWhoseCallersHaveGivenUpAreNotAddedAfterABlockedRow() {
		Blocked blocked = block();
		List<LookUp> givenUp = IntStream.range(0, 1000).mapToObj((i) -> this.lookUps.request("new" + i)).toList();
		LookUp waiting = this.lookUps.request("waiting");
		this.scheduler.run();
		givenUp.forEach(LookUp::countDown);
		blocked.end();
		this.scheduler.run();
		assertFound(waiting, "waiting");
		assertThat(calls("create")).containsExactly("create aa 500", "create waiting 500");
		assertNoneLeft();
		LookUp next = this.lookUps.request("new1");
		this.scheduler.run();
		assertFound(next, "new1");
	}

	@Test
	void aLookUpThatJoinsAnEntryAfterItWasDroppedFindsItsRowAllTheSame() {
		Blocked[] blocked = new Blocked[1];
		setEntries(new Entries() {

			@Override
			public Queue<LookUp> get(Object key) {
				Queue<LookUp> entry = super.get(key);
				if (blocked[0] != null && key.equals("new") && entry != null) {
					// the entry is dropped before the look-up is added to it
					Blocked other = blocked[0];
					blocked[0] = null;
					other.end();
					NewRowsTests.this.scheduler.run();
				}
				return entry;
			}

		});
		Blocked other = block();
		request("new").countDown();
		blocked[0] = other;
		LookUp late = request("new");
		assertThat(blocked[0]).as("the entry was dropped").isNull();
		this.scheduler.advance(KeyLookUps.PAUSE);
		assertFound(late, "new");
		assertNoneLeft();
	}

	@Test
	void aLookUpThatJoinsAnEntryBeforeItIsDroppedIsRequestedAgain() {
		LookUp[] joined = new LookUp[1];
		dropAfterBlockedRow(new Entries() {

			@Override
			void removing(Object key) {
				if (key.equals("new") && joined[0] == null) {
					joined[0] = request("new");
				}
			}

		});
		assertFound(joined[0], "new");
		assertThat(calls("find").stream().filter((call) -> call.equals("find new"))).as("reads without a row, and with")
			.hasSize(3);
		assertNoneLeft();
	}

	@Test
	void closingEndsALookUpThatJoinedADroppedEntryAlthoughItsRowIsBlocked() {
		LookUp[] joined = new LookUp[1];
		List<Boolean> ended = new ArrayList<>();
		Consumer<String> blocking = (key) -> {
			this.keys.close();
			ended.add(joined[0].isOpen());
		};
		dropAfterBlockedRow(new Entries() {

			@Override
			void removing(Object key) {
				if (key.equals("new") && joined[0] == null) {
					joined[0] = request("new");
					NewRowsTests.this.adding = blocking;
				}
			}

		});
		assertThat(ended).containsExactly(true);
	}

	/**
	 * Requests the key 'new' while another row is being added, gives up, and lets the
	 * task of the key run.
	 */
	private void dropAfterBlockedRow(Entries entries) {
		setEntries(entries);
		Blocked blocked = block();
		request("new").countDown();
		blocked.end();
		this.scheduler.run();
	}

	private void setEntries(Entries entries) {
		ReflectionTestUtils.setField(newRows(), "entries", entries);
	}

	private LookUp request(String key) {
		LookUp lookUp = this.lookUps.request(key);
		this.scheduler.run();
		return lookUp;
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	/**
	 * The look-ups of the keys whose rows are being added.
	 */
	private abstract static class Entries extends ConcurrentSkipListMap<String, Queue<LookUp>> {

		private static final long serialVersionUID = 1L;

		void removing(Object key) {
		}

		@Override
		public boolean remove(Object key, Object value) {
			removing(key);
			return super.remove(key, value);
		}

	}

	@Test
	void aKeyWhoseRowHasBeenAddedElsewhereDoesNotWaitForABlockedRow() {
		Blocked blocked = block();
		request("new");
		this.store.put("new", 1000, 10);
		this.keys.refresh();
		this.store.remove("new");
		this.keys.refresh();
		this.store.put("new", 1000, 10);
		LookUp lookUp = request("new");
		assertFound(lookUp, "new");
		blocked.end();
		this.scheduler.run();
		assertNoneLeft();
	}

	@Test
	void allLookUpsEndIfTheExecutorFailsWhileManyRowsAreToBeAdded() {
		Blocked blocked = block();
		List<LookUp> lookUps = IntStream.range(0, 20_000).mapToObj((i) -> this.lookUps.request("new" + i)).toList();
		this.scheduler.advance(KeyLookUps.PAUSE);
		this.failing = true;
		blocked.end();
		assertThat(lookUps).allMatch(LookUp::isOpen);
		assertNoneLeft();
	}

	@Test
	void aLookUpThatJoinsWhileTheRowIsReadIsRequestedAgain() {
		LookUp[] late = new LookUp[1];
		boolean[] added = new boolean[1];
		InMemorySegmentStore unable = new InMemorySegmentStore() {

			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				List<SegmentRow> rows = super.find(keys);
				if (added[0] && late[0] == null) {
					// the row exists, but the rows that are returned are older
					put("new", 1, 10);
					late[0] = NewRowsTests.this.other.lookUps().request("new");
					NewRowsTests.this.scheduler.run();
				}
				return rows;
			}

			@Override
			public void create(String key, int step, long from) {
				// the database cannot store the key
				added[0] = true;
			}

		};
		this.other = directory(unable);
		LookUp early = this.other.lookUps().request("new");
		this.scheduler.advance(KeyLookUps.PAUSE);
		assertThat(early.isOpen()).isTrue();
		assertThat(late[0].isOpen()).isTrue();
		assertThat(this.other.lookUps().result(late[0], null).key()).isEqualTo("new");
		assertThat(early.failure()).isNull();
	}

	@Test
	void noRowIsAddedForACallerThatEndsWithAnErrorWhileItWaits() {
		KeyDirectory keys = new KeyDirectory(this.store, TestSettings.DEFAULTS.toBuilder().autoCreateStep(500).build(),
				SegmentFixture.environment(this.scheduler, (latch, nanos) -> {
					throw new StackOverflowError("injected");
				}));
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> keys.lookUps().lookUp("new"));
		this.scheduler.run();
		assertThat(this.store.calls()).isEmpty();
	}

	@Test
	void noRowIsAddedIfTheRowHasBeenSeenAndRemovedMeanwhile() {
		Blocked blocked = block();
		LookUp lookUp = this.lookUps.request("new");
		this.scheduler.run();
		this.store.put("new", 1000, 10);
		this.keys.refresh();
		this.store.remove("new");
		this.keys.refresh();
		blocked.end();
		this.scheduler.run();
		assertThat(lookUp.isOpen()).isTrue();
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.lookUps.result(lookUp, null))
			.withMessageContaining("The row was removed");
		assertThat(calls("create")).containsExactly("create aa 500");
	}

	@Test
	void aRefreshDoesNotTakeARowThatIsAddedMeanwhileForRemoved() {
		InMemorySegmentStore replicated = new InMemorySegmentStore() {

			@Override
			public List<SegmentRow> findAll() {
				List<SegmentRow> before = super.findAll();
				NewRowsTests.this.scheduler.run();
				return before;
			}

		};
		KeyDirectory directory = directory(replicated);
		LookUp lookUp = directory.lookUps().request("new");
		directory.refresh();
		assertThat(directory.lookUps().result(lookUp, null).isIssuing()).isTrue();
	}

	@Test
	void aKeyThatEqualsAnotherKeyIsExplained() {
		InMemorySegmentStore insensitive = new InMemorySegmentStore() {

			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				return super.find(keys.stream().map((key) -> key.toLowerCase(Locale.ROOT)).toList());
			}

			@Override
			public void create(String key, int step, long from) {
				// the row exists
			}

		};
		insensitive.put("order", 1, 10);
		KeyDirectory directory = directory(insensitive);
		LookUp lookUp = directory.lookUps().request("ORDER");
		this.scheduler.run();
		assertThat(lookUp.isOpen()).isTrue();
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> directory.lookUps().result(lookUp, null))
			.withMessageContaining("Use 'order' as the key");
	}

	@Test
	void anErrorBeforeTheRowIsAddedFailsTheLookUpsButNoLaterOnes() {
		Queue<Runnable> waiting = new ConcurrentLinkedQueue<>() {

			private boolean failed;

			@Override
			public boolean add(Runnable task) {
				if (!this.failed) {
					this.failed = true;
					throw new OutOfMemoryError("injected");
				}
				return super.add(task);
			}

		};
		ReflectionTestUtils.setField(ReflectionTestUtils.getField(newRows(), "tasks"), "waiting", waiting);
		LookUp failed = this.lookUps.request("a");
		this.scheduler.run();
		assertFailed(failed, "injected");
		LookUp next = this.lookUps.request("a");
		this.scheduler.advance(KeyLookUps.PAUSE);
		assertFound(next, "a");
		assertNoneLeft();
	}

	@Test
	void anErrorOfTheExecutorFailsTheLookUpsButNoLaterOnes() {
		LookUp failed = this.lookUps.request("a");
		// the next task that is handed over is the one that adds the row
		this.failingTask = this.tasks.get() + 1;
		this.scheduler.run();
		assertFailed(failed, "injected");
		LookUp next = this.lookUps.request("a");
		this.scheduler.advance(KeyLookUps.PAUSE);
		assertFound(next, "a");
		assertNoneLeft();
	}

	/**
	 * A row that cannot be added until another transaction ends.
	 */
	private static final class Blocked {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch released = new CountDownLatch(1);

		private CompletableFuture<LookUp> thread;

		void begin() {
			this.begun.countDown();
			awaitLatch(this.released);
		}

		LookUp end() {
			this.released.countDown();
			return SegmentFixture.end(this.thread);
		}

	}

}
