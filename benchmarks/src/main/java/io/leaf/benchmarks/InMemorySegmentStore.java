// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;

/**
 * A store in memory. All rows have the same step.
 */
public class InMemorySegmentStore implements SegmentStore {

	private final ConcurrentHashMap<String, AtomicLong> rows = new ConcurrentHashMap<>();

	private final long step;

	private final Duration latency;

	/**
	 * Creates a store.
	 * @param step the step of all rows
	 * @param latency the duration of an allocation
	 * @param keys the keys, one row each
	 */
	public InMemorySegmentStore(long step, Duration latency, List<String> keys) {
		this.step = step;
		this.latency = latency;
		keys.forEach((key) -> this.rows.put(key, new AtomicLong(1)));
	}

	/**
	 * Returns how many numbers of a key have been allocated.
	 * @param key the key
	 * @return the count, excluding numbers that were given back
	 */
	public long allocated(String key) {
		return counter(key).get() - 1;
	}

	private AtomicLong counter(String key) {
		AtomicLong counter = this.rows.get(key);
		if (counter == null) {
			throw new IllegalArgumentException("No row for key '" + key + "'");
		}
		return counter;
	}

	@Override
	public Allocation allocate(String key, long size, long floor, Duration timeout) {
		if (!this.latency.isZero()) {
			LockSupport.parkNanos(this.latency.toNanos());
		}
		long to = counter(key).updateAndGet((maxId) -> Math.max(maxId, floor) + size);
		return new Allocation(to - size, to, this.step);
	}

	@Override
	public void checkWritable() {
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		return unissued.stream()
			.filter((numbers) -> counter(numbers.key()).compareAndSet(numbers.to(), numbers.from()))
			.map(Unissued::key)
			.collect(Collectors.toSet());
	}

	@Override
	public List<SegmentRow> findAll() {
		return this.rows.entrySet()
			.stream()
			.map((row) -> new SegmentRow(row.getKey(), row.getValue().get(), this.step))
			.toList();
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return findAll().stream().filter((row) -> keys.contains(row.key())).toList();
	}

	@Override
	public void create(String key, int step, long from) {
		this.rows.putIfAbsent(key, new AtomicLong(from));
	}

}
