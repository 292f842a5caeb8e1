// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;

/**
 * Counts from 1, across all keys. The key "unknown" has no row, and the key "unavailable"
 * no segment.
 */
final class StubGenerator implements IdGenerator {

	private final AtomicLong last = new AtomicLong();

	final List<String> keys = new ArrayList<>();

	@Override
	public long nextId(String key) {
		return nextIds(key, 1)[0];
	}

	@Override
	public long[] nextIds(String key, int count) {
		this.keys.add(key);
		switch (key) {
			case "unknown" -> throw new UnknownKeyException(key, "There is no row for key 'unknown'");
			case "unavailable" ->
				throw new SegmentUnavailableException(key, "No segment of key 'unavailable' within 2s", null);
			default -> {
				long first = this.last.getAndAdd(count) + 1;
				return LongStream.range(first, first + count).toArray();
			}
		}
	}

	@Override
	public IdSequence sequence(String key) {
		throw new UnsupportedOperationException();
	}

}
