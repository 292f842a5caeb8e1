// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.leaf.Heap;
import io.leaf.HostileKeys;
import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.support.IdArguments;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how much load on the store and how much memory 100,000 different keys without
 * rows cause, or a million in the full build.
 */
class HostileKeysTests {

	private static final long SEED = Long.getLong("leaf.seed", 20261121);

	private static final int KEYS = Boolean.getBoolean("leaf.test.full") ? 1_000_000 : 100_000;

	private static final int TICKS = KEYS / KeyLookUps.BATCH;

	/**
	 * A million keys would take a hundred times as much memory if they were kept.
	 */
	private static final long TOLERANCE = 4 << 20;

	private final HostileKeys keys = new HostileKeys(SEED);

	private final SegmentFixture fixture = new SegmentFixture();

	private volatile Thread flooding;

	HostileKeysTests() {
		System.out.println("Hostile keys: -Dleaf.seed=" + SEED);
	}

	@Test
	void aFloodOfUnknownKeysCostsOneReadPerPauseAndNoMemory() {
		AtomicInteger reads = new AtomicInteger();
		// unlike its superclass, this store keeps no record of the keys
		this.fixture.store = new InMemorySegmentStore() {
			@Override
			public List<SegmentRow> find(Collection<String> keys) {
				reads.incrementAndGet();
				assertThat(keys).hasSizeLessThanOrEqualTo(KeyLookUps.BATCH).doesNotContain("order");
				return List.of();
			}
		};
		this.fixture.store.put("order", 1, 1000);
		// the flooding thread does not wait, so that many of its look-ups are pending at
		// the same time
		this.fixture.waits = (latch, nanos) -> {
			if (Thread.currentThread() == this.flooding) {
				return true;
			}
			return latch.await(nanos, TimeUnit.NANOSECONDS);
		};
		this.fixture.start();
		this.fixture.nextId("order");
		this.flooding = Thread.currentThread();
		long before = Heap.used();
		int invalid = 0;
		for (int tick = 0; tick < TICKS; tick++) {
			for (int i = 0; i < KEYS / TICKS; i++) {
				String key = this.keys.next();
				boolean valid = IdArguments.isKey(key);
				assertThat(assertRefused(this.fixture.generator, key))
					.isInstanceOf(valid ? UnknownKeyException.class : InvalidRequestException.class);
				invalid += valid ? 0 : 1;
			}
			assertThat(this.fixture.nextIds("order", 2000)).as("IDs of a key that exists").isSorted();
			this.fixture.scheduler.advance(KeyLookUps.PAUSE);
		}
		assertThat(reads.get()).isBetween(TICKS, TICKS + 1);
		long seconds = KeyLookUps.PAUSE.multipliedBy(TICKS).toSeconds();
		assertThat(calls("findAll")).as("one at startup, and one every 60 s during %d s", seconds)
			.isEqualTo((int) (1 + seconds / 60));
		assertThat(calls("create")).isZero();
		assertThat(invalid).as("empty and oversized").isBetween(KEYS / 20, KEYS / 5);
		assertThat(this.fixture.generator.status()).containsOnlyKeys("order");
		Heap.awaitBackTo(before, TOLERANCE);
	}

	@Test
	void consecutiveUnknownKeysCostOneReadPerPause() {
		this.fixture.callersMoveTheClock().start();
		long start = this.fixture.scheduler.nanoTime();
		for (int i = 0; i < 1000; i++) {
			assertThat(assertRefused(this.fixture.generator, "key" + i)).isInstanceOf(UnknownKeyException.class);
		}
		assertThat(this.fixture.scheduler.nanoTime() - start).isEqualTo(KeyLookUps.PAUSE.multipliedBy(999).toNanos());
	}

	@Test
	void unknownKeysWhileTheStoreIsDownCostNoMoreAttempts() {
		this.fixture.callersMoveTheClock().start();
		this.fixture.store.failWith(InMemorySegmentStore.down());
		long start = this.fixture.scheduler.nanoTime();
		for (int i = 0; i < 1000; i++) {
			assertThat(assertRefused(this.fixture.generator, "key" + i))
				.isInstanceOf(SegmentUnavailableException.class);
		}
		assertThat(this.fixture.scheduler.nanoTime() - start).isEqualTo(KeyLookUps.PAUSE.multipliedBy(999).toNanos());
		assertThat(this.fixture.store.calls()).allMatch((call) -> call.startsWith("find"));
	}

	@Test
	void unknownKeysFromManyThreadsCostOneReadPerPauseAndNoMemory() {
		InMemorySegmentStore store = this.fixture.store;
		long before = Heap.used();
		long start = System.nanoTime();
		try (SegmentIdGenerator generator = new SegmentIdGenerator(store,
				this.fixture.acquireTimeout(Duration.ofMinutes(1)).settings)) {
			generator.start();
			int threads = 500;
			List<CompletableFuture<Void>> callers = IntStream.range(0, threads)
				.mapToObj((thread) -> this.fixture.<Void>begin(() -> {
					HostileKeys own = new HostileKeys(SEED + thread);
					for (int i = 0; i < 20; i++) {
						assertThat(assertRefused(generator, thread + own.next()))
							.isInstanceOfAny(UnknownKeyException.class, InvalidRequestException.class);
					}
					return null;
				}))
				.toList();
			CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).join();
			long pauses = (System.nanoTime() - start) / KeyLookUps.PAUSE.toNanos();
			assertThat(calls("find ")).isBetween(1, (int) pauses + 1);
			Heap.awaitBackTo(before, TOLERANCE);
		}
	}

	private static IdGenerationException assertRefused(SegmentIdGenerator generator, String key) {
		try {
			long id = switch (key.hashCode() & 3) {
				case 0 -> generator.nextIds(key, 10)[0];
				case 1 -> generator.sequence(key).nextId();
				default -> generator.nextId(key);
			};
			throw new AssertionError("'%s' has the ID %d".formatted(key, id));
		}
		catch (IdGenerationException ex) {
			return ex;
		}
	}

	private int calls(String name) {
		return (int) this.fixture.store.calls().stream().filter((call) -> call.startsWith(name)).count();
	}

}
