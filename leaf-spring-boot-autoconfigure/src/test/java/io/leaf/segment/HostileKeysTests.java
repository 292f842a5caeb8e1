/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.leaf.segment;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.leaf.Heap;
import io.leaf.HostileKeys;
import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import io.leaf.Requests;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A million different keys that do not exist: what they cost the store and the memory.
 */
class HostileKeysTests {

	private static final long SEED = Long.getLong("leaf.seed", 20261121);

	private static final int KEYS = 1_000_000;

	private static final int KEYS_A_TICK = 1000;

	/**
	 * Of a million keys that are kept it would be a hundred times that.
	 */
	private static final long TOLERANCE = 4 << 20;

	// each tick of the clock gives one token back; the first keys come before any tick
	private static final int TOKENS = UnknownKeys.BURST + KEYS / KEYS_A_TICK - 1;

	private final HostileKeys keys = new HostileKeys(SEED);

	private final SegmentFixture fixture = new SegmentFixture();

	HostileKeysTests() {
		// a look-up is answered before the call that began it goes on
		this.fixture.handOff = Runnable::run;
		System.out.println("Hostile keys: -Dleaf.seed=" + SEED);
	}

	@Test
	void aMillionUnknownKeysCostAsManyReadsAsThereAreTokensAndNoMemory() {
		this.fixture.store.put("order", 1, 1000);
		this.fixture.start();
		long before = Heap.used();
		AtomicLong last = new AtomicLong();
		int invalid = flood(UnknownKeyException.class, () -> {
			long id = this.fixture.generator.nextId("order");
			assertThat(id).as("a key that exists").isGreaterThan(last.getAndSet(id));
		});
		assertThat(calls("find ")).isEqualTo(TOKENS);
		assertThat(calls("findAll")).as("one at start, and one every 60 of the 100 seconds").isEqualTo(2);
		assertThat(calls("create")).isZero();
		assertThat(invalid).as("empty and oversized").isBetween(KEYS / 20, KEYS / 5);
		assertThat(this.fixture.generator.status()).containsOnlyKeys("order");
		Heap.awaitBackTo(before, TOLERANCE);
	}

	@Test
	void aMillionUnknownKeysWhileTheStoreIsDownCostNoMoreAttempts() {
		this.fixture.start();
		this.fixture.store.failWith(InMemorySegmentStore.down());
		long before = Heap.used();
		flood(SegmentUnavailableException.class, () -> {
		});
		assertThat(calls("find ")).isEqualTo(TOKENS);
		assertThat(this.fixture.store.calls()).allMatch((call) -> call.startsWith("find"));
		Heap.awaitBackTo(before, TOLERANCE);
	}

	@AfterEach
	void logAgain() {
		log(LogLevel.INFO);
	}

	// of each row added, a line
	private static void log(LogLevel level) {
		LoggingSystem.get(HostileKeysTests.class.getClassLoader()).setLogLevel(KeyDirectory.class.getName(), level);
	}

	@Test
	void withAutoCreateUnknownKeysAddAsManyRowsAsThereAreTokens() {
		log(LogLevel.WARN);
		this.fixture.start(false, true, 10);
		for (int i = 0; i < 2 * UnknownKeys.BURST; i++) {
			String key = "key" + i;
			if (i < UnknownKeys.BURST) {
				assertThat(this.fixture.generator.nextId(key)).isEqualTo(1);
			}
			else {
				assertThatThrownBy(() -> this.fixture.generator.nextId(key)).isInstanceOf(UnknownKeyException.class);
			}
		}
		assertThat(calls("create")).isEqualTo(UnknownKeys.BURST);
		assertThat(calls("find ")).isEqualTo(2 * UnknownKeys.BURST);
	}

	@Test
	void aMillionUnknownKeysFromManyThreadsCostAsManyReadsAsThereAreTokensAndNoMemory() {
		InMemorySegmentStore store = this.fixture.store;
		long before = Heap.used();
		long start = System.nanoTime();
		try (SegmentIdGenerator generator = new SegmentIdGenerator(store, SegmentSettings.DEFAULTS)) {
			generator.start();
			int threads = 8;
			List<CompletableFuture<Void>> callers = IntStream.range(0, threads)
				.mapToObj((thread) -> this.fixture.<Void>begin(() -> {
					HostileKeys own = new HostileKeys(SEED + thread);
					for (int i = 0; i < KEYS / threads; i++) {
						assertRefused(generator, thread + own.next());
					}
					return null;
				}))
				.toList();
			CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).join();
			long refilled = (System.nanoTime() - start) / UnknownKeys.REFILL.toNanos();
			assertThat(calls("find ")).isBetween(UnknownKeys.BURST, (int) (UnknownKeys.BURST + refilled));
			Heap.awaitBackTo(before, TOLERANCE);
		}
	}

	/**
	 * Asks for a million keys.
	 * @param expected what is thrown of those that may be keys
	 * @param eachTick called whenever the clock has moved
	 * @return how many may not be keys
	 */
	private int flood(Class<? extends IdGenerationException> expected, Runnable eachTick) {
		int invalid = 0;
		for (int i = 0; i < KEYS; i++) {
			if (i % KEYS_A_TICK == 0) {
				this.fixture.scheduler.advance((i > 0) ? UnknownKeys.REFILL : Duration.ZERO);
				eachTick.run();
			}
			String key = this.keys.next();
			boolean valid = Requests.isKey(key);
			IdGenerationException thrown = assertRefused(this.fixture.generator, key);
			assertThat(thrown.getClass()).isEqualTo(valid ? expected : InvalidRequestException.class);
			invalid += valid ? 0 : 1;
		}
		return invalid;
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
