// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Counter;
import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.SimulatedPrimary;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code leaf_alloc}, as kept by the database.
 */
final class SimulatedTable extends Server {

	private final InstantSource clock;

	private TreeMap<String, SegmentRow> rows = new TreeMap<>();

	private TreeMap<String, SegmentRow> replica = new TreeMap<>();

	private final SimulatedPrimary primary;

	// by process and key: all numbers that were ever allocated
	private final Map<String, List<Allocation>> allocated = new HashMap<>();

	/**
	 * Creates a table of a database whose clock is not used.
	 */
	SimulatedTable() {
		this(() -> Process.BEGINNING);
	}

	/**
	 * Creates a table.
	 * @param clock the clock of the database
	 */
	SimulatedTable(InstantSource clock) {
		this.clock = clock;
		this.primary = new SimulatedPrimary(this::raise, clock);
	}

	@Nullable SegmentRow row(String key) {
		return this.rows.get(key);
	}

	@Nullable SegmentRow replicatedRow(String key) {
		return this.replica.get(key);
	}

	List<SegmentRow> rows() {
		return List.copyOf(this.rows.values());
	}

	void put(SegmentRow row) {
		this.rows.put(row.key(), row);
	}

	void remove(String key) {
		this.rows.remove(key);
	}

	SimulatedPrimary primary() {
		return this.primary;
	}

	private void raise(long numbers) {
		this.rows.replaceAll((key, row) -> new SegmentRow(key, row.maxId() + numbers, row.step()));
	}

	/**
	 * Allocates numbers of a key.
	 */
	@Nullable Allocation allocate(String process, String key, long size, long floor) {
		return allocate(process, key, size, floor, Long.MAX_VALUE);
	}

	/**
	 * Allocates numbers of a key if the clock is within a window.
	 */
	@Nullable Allocation allocate(String process, String key, long size, Window window) {
		return isWithin(window) ? allocate(process, key, size, window.from(), window.to()) : null;
	}

	private boolean isWithin(Window window) {
		Instant time = this.clock.instant();
		return !time.isBefore(window.since()) && time.isBefore(window.until());
	}

	private @Nullable Allocation allocate(String process, String key, long size, long floor, long end) {
		SegmentRow row = this.rows.get(key);
		if (row == null) {
			return null;
		}
		if (row.step() < 1) {
			throw new SegmentStoreException("The step of " + row + " is not positive", null, true);
		}
		long from = Math.max(row.maxId(), floor);
		if (from > end - size) {
			return null;
		}
		Allocation allocation = new Allocation(from, from + size, row.step());
		put(new SegmentRow(key, allocation.to(), row.step()));
		this.allocated.computeIfAbsent(process + " " + key, (name) -> new ArrayList<>()).add(allocation);
		return allocation;
	}

	/**
	 * Reads the counter of a key together with the clock.
	 * @param raises the raises of the counters that the process knows
	 */
	@Nullable Counter read(String key, Raises raises) {
		SegmentRow row = this.rows.get(key);
		return (row != null) ? new Counter(row.maxId(), this.clock.instant(), raises) : null;
	}

	/**
	 * Returns whether a number was ever allocated to a process.
	 */
	boolean isAllocated(String process, String key, long number) {
		return isAllocated(process, key, number, number + 1);
	}

	private boolean isAllocated(String process, String key, long from, long to) {
		List<Allocation> allocations = this.allocated.getOrDefault(process + " " + key, List.of());
		for (int i = allocations.size() - 1; i >= 0; i--) {
			if (allocations.get(i).from() <= from && to <= allocations.get(i).to()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Records that a Leaf server has passed numbers on to a process.
	 * @return whether they were allocated to one of the servers
	 */
	boolean passOn(Collection<LeafServer> servers, String process, String key, Allocation range) {
		this.allocated.computeIfAbsent(process + " " + key, (name) -> new ArrayList<>()).add(range);
		return servers.stream()
			.flatMap((server) -> server.names().stream())
			.anyMatch((server) -> isAllocated(server, key, range.from(), range.to()));
	}

	Set<String> giveBackAll(List<Unissued> unissued) {
		return unissued.stream()
			.filter((numbers) -> giveBack(numbers.key(), numbers.from(), numbers.to()))
			.map(Unissued::key)
			.collect(Collectors.toSet());
	}

	boolean giveBack(String key, long from, long to) {
		SegmentRow row = this.rows.get(key);
		if (row == null || row.maxId() != to) {
			return false;
		}
		put(new SegmentRow(key, from, row.step()));
		return true;
	}

	boolean create(String key, int step, long from) {
		return this.rows.putIfAbsent(key, new SegmentRow(key, from, step)) == null;
	}

	/**
	 * Copies the present state to the replica.
	 */
	void replicate() {
		this.replica = new TreeMap<>(this.rows);
		this.primary.replicate();
	}

	/**
	 * Fails over to the replica.
	 */
	void failOver() {
		this.rows = new TreeMap<>(this.replica);
		this.primary.failOver();
	}

}
