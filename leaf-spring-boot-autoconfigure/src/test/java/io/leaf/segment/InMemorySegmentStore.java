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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * A table in memory, with the rows open to a test and failures on request.
 */
public class InMemorySegmentStore implements SegmentStore {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, SegmentRow> rows = new TreeMap<>();

	private final List<String> calls = new ArrayList<>();

	private @Nullable RuntimeException failure;

	private boolean loseAnswers;

	public InMemorySegmentStore put(String key, long maxId, long step) {
		return locked(() -> {
			this.rows.put(key, new SegmentRow(key, maxId, step));
			return this;
		});
	}

	public void remove(String key) {
		locked(() -> this.rows.remove(key));
	}

	SegmentRow row(String key) {
		return locked(() -> this.rows.get(key));
	}

	/**
	 * Makes every call fail until it is told {@code null}.
	 */
	public void failWith(@Nullable RuntimeException failure) {
		locked(() -> this.failure = failure);
	}

	/**
	 * Makes every call take effect and then fail.
	 */
	void loseAnswers(boolean lose) {
		locked(() -> this.loseAnswers = lose);
	}

	/**
	 * Returns the calls so far, as text.
	 */
	List<String> calls() {
		return locked(() -> List.copyOf(this.calls));
	}

	public static SegmentStoreException down() {
		return new SegmentStoreException("the store is down", null, false);
	}

	@Override
	public @Nullable Allocation allocate(String key, long size) {
		return call("allocate " + key + " " + size, () -> {
			SegmentRow row = this.rows.get(key);
			if (row == null) {
				return null;
			}
			if (row.step() < 1) {
				throw new SegmentStoreException("the step of " + key + " is " + row.step(), null, true);
			}
			this.rows.put(key, new SegmentRow(key, row.maxId() + size, row.step()));
			return new Allocation(row.maxId(), row.maxId() + size, row.step());
		});
	}

	@Override
	public void raise(String key, long floor) {
		call("raise " + key + " " + floor, () -> this.rows.computeIfPresent(key,
				(k, row) -> new SegmentRow(key, Math.max(row.maxId(), floor), row.step())));
	}

	@Override
	public boolean giveBack(String key, long from, long to) {
		return call("giveBack " + key + " " + from + " " + to, () -> {
			SegmentRow row = this.rows.get(key);
			if (row == null || row.maxId() != to) {
				return false;
			}
			this.rows.put(key, new SegmentRow(key, from, row.step()));
			return true;
		});
	}

	@Override
	public List<SegmentRow> findAll() {
		return call("findAll", () -> List.copyOf(this.rows.values()));
	}

	@Override
	public @Nullable SegmentRow find(String key) {
		return call("find " + key, () -> this.rows.get(key));
	}

	@Override
	public void create(String key, int step, long from) {
		call("create " + key + " " + step, () -> this.rows.putIfAbsent(key, new SegmentRow(key, from, step)));
	}

	private <T> T call(String name, Work<T> work) {
		return locked(() -> {
			this.calls.add(name);
			if (this.failure != null) {
				throw this.failure;
			}
			T result = work.get();
			if (this.loseAnswers) {
				throw new SegmentStoreException("the answer was lost", null, false);
			}
			return result;
		});
	}

	private <T> T locked(Work<T> work) {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private interface Work<T> {

		T get();

	}

}
