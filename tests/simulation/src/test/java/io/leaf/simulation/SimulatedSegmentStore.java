// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import io.leaf.simulation.Link.LostAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The table, as seen by one process.
 */
final class SimulatedSegmentStore implements SegmentStore {

	private final SimulatedTable table;

	private final Link link;

	private final String process;

	SimulatedSegmentStore(SimulatedTable table, Link link, String process) {
		this.table = table;
		this.link = link;
		this.process = process;
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
		return answered(() -> this.link.write((floor > 0) ? "allocate from %d on".formatted(floor) : "allocate", key,
				() -> this.table.allocate(this.process, key, size, floor)));
	}

	@Override
	public void checkWritable() {
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		return answered(
				() -> this.link.write("give back", unissued.toString(), () -> this.table.giveBackAll(unissued)));
	}

	@Override
	public List<SegmentRow> findAll() {
		return answered(() -> this.link.read("find", "all", this.table::rows));
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return answered(() -> this.link.read("find", String.join(", ", keys),
				() -> this.table.rows().stream().filter((row) -> keys.contains(row.key())).toList()));
	}

	@Override
	public void create(String key, int step, long from) {
		answered(() -> this.link.write("create", key, () -> this.table.create(key, step, from)));
	}

	private static <T> T answered(Supplier<T> request) {
		try {
			return request.get();
		}
		catch (LostAnswer ex) {
			throw new SegmentStoreException(ex.getMessage(), ex, false);
		}
	}

}
