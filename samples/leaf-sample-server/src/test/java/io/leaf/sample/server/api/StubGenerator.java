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

package io.leaf.sample.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;

/**
 * Counts from 1, whatever the key; the keys "unknown" and "away" are what they say.
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
			case "away" -> throw new SegmentUnavailableException(key, "No segment of key 'away' within 2s", null);
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
