// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStoreException;
import io.leaf.server.RequestTurns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SlowKeysStore}.
 */
class SlowKeysStoreTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final AtomicLong now = new AtomicLong();

	private final Table table = new Table();

	private final RequestTurns turns = new RequestTurns(this.now::get);

	private final SlowKeysStore store = new SlowKeysStore(this.table, this.turns);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void onlyOneRequestPerKeyUsesAConnectionAtATime() throws Exception {
		this.table.locked.put("a", new CountDownLatch(1));
		List<Future<Boolean>> requests = List.of(allocate("a"), allocate("a"), allocate("a"));
		assertThat(this.table.entered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
		awaitWaiting("a", 2);
		assertThat(this.store.allocate("b", 1, 0, TIMEOUT)).isNotNull();
		this.table.locked.get("a").countDown();
		for (Future<Boolean> request : requests) {
			assertThat(request.get(20, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(this.table.mostConcurrentCalls).isEqualTo(1);
	}

	@Test
	void aRequestThatIsNotSentFailsWithTheExceptionOfAStore() throws Exception {
		this.table.failAfter = Duration.ofSeconds(1);
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> this.store.allocate("a", 1, 0, TIMEOUT))
			.withMessage("the statement timed out");
		this.table.failAfter = null;
		this.table.locked.put("a", new CountDownLatch(1));
		Future<Boolean> first = allocate("a");
		assertThat(this.table.entered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> this.store.allocate("a", 1, 0, TIMEOUT))
			.withMessageContainingAll("key 'a' took long", "the statement timed out")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
		assertThat(this.store.allocate("b", 1, 0, TIMEOUT)).isNotNull();
		this.table.locked.get("a").countDown();
		assertThat(first.get(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void onlyOneRequestAtATimeGivesBackNumbers() throws Exception {
		this.table.locked.put("a", new CountDownLatch(1));
		Future<Set<String>> first = this.threads.submit(() -> this.store.giveBack(List.of(new Unissued("a", 1, 2))));
		assertThat(this.table.entered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
		assertThatExceptionOfType(SegmentStoreException.class)
			.isThrownBy(() -> this.store.giveBack(List.of(new Unissued("b", 1, 2))))
			.withMessageContaining("was not sent to the database");
		this.table.locked.get("a").countDown();
		assertThat(first.get(20, TimeUnit.SECONDS)).containsExactly("a");
		assertThat(this.store.giveBack(List.of(new Unissued("b", 1, 2)))).containsExactly("b");
	}

	private void awaitWaiting(String key, int requests) {
		await().until(() -> this.turns.waiting(SlowKeysStore.rows(key)) == requests);
	}

	private Future<Boolean> allocate(String key) {
		return this.threads.submit(() -> this.store.allocate(key, 1, 0, TIMEOUT) != null);
	}

	private final class Table implements SegmentStore {

		private final Map<String, CountDownLatch> locked = new ConcurrentHashMap<>();

		private final Semaphore entered = new Semaphore(0);

		private final AtomicLong running = new AtomicLong();

		private volatile long mostConcurrentCalls;

		private volatile Duration failAfter;

		@Override
		public Allocation allocate(String key, long size, long floor, Duration timeout) {
			if (this.failAfter != null) {
				SlowKeysStoreTests.this.now.addAndGet(this.failAfter.toNanos());
				throw new SegmentStoreException("the statement timed out", null, false);
			}
			enter(key);
			return new Allocation(1, 2, 1);
		}

		private void enter(String key) {
			CountDownLatch lock = this.locked.get(key);
			if (lock != null) {
				this.mostConcurrentCalls = Math.max(this.mostConcurrentCalls, this.running.incrementAndGet());
				this.entered.release();
				try {
					lock.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				this.running.decrementAndGet();
			}
		}

		@Override
		public Set<String> giveBack(List<Unissued> unissued) {
			enter(unissued.get(0).key());
			return Set.of(unissued.get(0).key());
		}

		@Override
		public void checkWritable() {
		}

		@Override
		public List<SegmentRow> findAll() {
			return List.of();
		}

		@Override
		public List<SegmentRow> find(Collection<String> keys) {
			return List.of();
		}

		@Override
		public void create(String key, int step, long from) {
		}

	}

}
