// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A store in memory. A test can access its rows and make its calls fail.
 */
public class InMemorySegmentStore implements SegmentStore {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, SegmentRow> rows = new TreeMap<>();

	private final List<String> calls = new ArrayList<>();

	private @Nullable RuntimeException failure;

	private boolean loseAnswers;

	private boolean returnsStep = true;

	private Supplier<Instant> clock = () -> SegmentFixture.NOW;

	private Raises raises = Raises.NONE;

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
	 * Makes every call fail, or no call if the failure is {@code null}.
	 */
	public void failWith(@Nullable RuntimeException failure) {
		locked(() -> this.failure = failure);
	}

	/**
	 * Omits the row's step from allocations.
	 */
	void leaveStepOut() {
		locked(() -> this.returnsStep = false);
	}

	/**
	 * Sets how the counters have been raised.
	 */
	void raised(Raises raises) {
		locked(() -> this.raises = raises);
	}

	/**
	 * Makes every call take effect and then fail.
	 */
	void loseAnswers(boolean lose) {
		locked(() -> this.loseAnswers = lose);
	}

	/**
	 * Sets the clock of the store.
	 */
	void clock(Supplier<Instant> clock) {
		locked(() -> this.clock = clock);
	}

	/**
	 * Returns the calls so far, as text.
	 */
	public List<String> calls() {
		return locked(() -> List.copyOf(this.calls));
	}

	public static SegmentStoreException down() {
		return new SegmentStoreException("the store is down", null, false);
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
		return call("allocate " + key + " " + size + ((floor > 0) ? " from " + floor : ""), () -> {
			SegmentRow row = this.rows.get(key);
			if (row == null) {
				return null;
			}
			if (row.step() < 1) {
				throw new SegmentStoreException("the step of " + key + " is " + row.step(), null, true);
			}
			long from = Math.max(row.maxId(), floor);
			this.rows.put(key, new SegmentRow(key, from + size, row.step()));
			return new Allocation(from, from + size, this.returnsStep ? row.step() : 0);
		});
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, Window window, Duration timeout) {
		return call("allocate " + key + " " + size, () -> {
			SegmentRow row = this.rows.get(key);
			Instant time = this.clock.get();
			if (row == null || !window.raises().equals(this.raises) || time.isBefore(window.since())
					|| !time.isBefore(window.until())) {
				return null;
			}
			long from = Math.max(row.maxId(), window.from());
			if (from > window.to() - size) {
				return null;
			}
			this.rows.put(key, new SegmentRow(key, from + size, row.step()));
			return new Allocation(from, from + size, row.step());
		});
	}

	@Override
	public @Nullable Counter read(String key, Duration timeout) {
		return call("read " + key, () -> {
			SegmentRow row = this.rows.get(key);
			return (row != null) ? new Counter(row.maxId(), this.clock.get(), this.raises) : null;
		});
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		return call("giveBack " + unissued, () -> {
			Set<String> keys = new TreeSet<>();
			for (Unissued numbers : unissued) {
				SegmentRow row = this.rows.get(numbers.key());
				if (row != null && row.maxId() == numbers.to()) {
					this.rows.put(row.key(), new SegmentRow(row.key(), numbers.from(), row.step()));
					keys.add(row.key());
				}
			}
			return keys;
		});
	}

	@Override
	public void checkWritable() {
	}

	@Override
	public List<SegmentRow> findAll() {
		return call("findAll", () -> List.copyOf(this.rows.values()));
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return call("find " + String.join(" ", keys),
				() -> keys.stream().map(this.rows::get).filter(Objects::nonNull).toList());
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
