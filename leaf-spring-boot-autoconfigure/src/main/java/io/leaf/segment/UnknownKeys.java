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
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Remembers briefly which keys have no row, and rations the look-ups of keys not yet
 * known, so that a flood of bad keys costs neither the database nor memory.
 */
final class UnknownKeys {

	// A look-up costs a token. There are BURST of them, and one more each REFILL. Every
	// key
	// remembered has cost one, and is forgotten after MEMORY, so there are never more
	// than
	// BURST + MEMORY / REFILL keys here: 1,100. Tokens are counted as in a leaky bucket:
	// the
	// one number is the time at which all tokens will be back.

	static final int BURST = 1000;

	static final Duration REFILL = Duration.ofMillis(100);

	static final Duration MEMORY = Duration.ofSeconds(10);

	private final LongSupplier nanoTime;

	// callers remove from it, for which a ConcurrentHashMap takes monitors
	private final ConcurrentSkipListMap<String, Long> forgottenAt = new ConcurrentSkipListMap<>();

	private final AtomicLong fullAt;

	UnknownKeys(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.fullAt = new AtomicLong(nanoTime.getAsLong());
	}

	boolean remembers(String key) {
		Long end = this.forgottenAt.get(key);
		if (end == null) {
			return false;
		}
		if (end - this.nanoTime.getAsLong() > 0) {
			return true;
		}
		this.forgottenAt.remove(key, end);
		return false;
	}

	void remember(String key) {
		long now = this.nanoTime.getAsLong();
		this.forgottenAt.values().removeIf((end) -> end - now <= 0);
		this.forgottenAt.put(key, now + MEMORY.toNanos());
	}

	void forget(String key) {
		this.forgottenAt.remove(key);
	}

	/**
	 * Takes the token that a look-up costs.
	 * @return whether there was one
	 */
	boolean tryLookUp() {
		long now = this.nanoTime.getAsLong();
		long cost = REFILL.toNanos();
		while (true) {
			long fullAt = this.fullAt.get();
			long next = ((fullAt - now > 0) ? fullAt : now) + cost;
			if (next - now > BURST * cost) {
				return false;
			}
			if (this.fullAt.compareAndSet(fullAt, next)) {
				return true;
			}
		}
	}

	int size() {
		return this.forgottenAt.size();
	}

}
