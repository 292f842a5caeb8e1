// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Issues 1001, 1002, … for every key, and records the issued IDs.
 */
public class RecordingIdGenerator implements IdGenerator {

	private final Map<String, AtomicLong> issued = new ConcurrentHashMap<>();

	private final List<String> sequences = new CopyOnWriteArrayList<>();

	@Override
	public long nextId(String key) {
		return 1000 + this.issued.computeIfAbsent(key, (added) -> new AtomicLong()).incrementAndGet();
	}

	@Override
	public long[] nextIds(String key, int count) {
		return LongStream.generate(() -> nextId(key)).limit(count).toArray();
	}

	@Override
	public IdSequence sequence(String key) {
		this.sequences.add(key);
		return new IdSequence() {

			@Override
			public String key() {
				return key;
			}

			@Override
			public long nextId() {
				return RecordingIdGenerator.this.nextId(key);
			}

			@Override
			public CompletionStage<Long> nextIdAsync() {
				return CompletableFuture.completedFuture(nextId());
			}

			@Override
			public long[] nextIds(int count) {
				return RecordingIdGenerator.this.nextIds(key, count);
			}

		};
	}

	public Map<String, Long> issued() {
		Map<String, Long> counts = new ConcurrentHashMap<>();
		this.issued.forEach((key, count) -> counts.put(key, count.get()));
		return counts;
	}

	/**
	 * Returns the keys whose sequence was requested, one element per request.
	 */
	public List<String> sequences() {
		return new ArrayList<>(this.sequences);
	}

}
