// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.SimulatedPrimary;
import io.leaf.segment.jdbc.SimulatedPrimary.Requests;
import io.leaf.segment.jdbc.SimulatedPrimary.ServerChangedException;
import io.leaf.simulation.Link.LostAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The table, as accessed by one process.
 */
class SimulatedSegmentStore implements SegmentStore {

	private static final int EXECUTIONS = 5;

	private final SimulatedTable table;

	private final Link link;

	private final String process;

	private final SimulatedPrimary.Process primary;

	/**
	 * Creates a store.
	 * @param failoverGap by how much to raise the counters for each failover, or 0 if
	 * they are never raised
	 */
	SimulatedSegmentStore(SimulatedTable table, Link link, String process, long failoverGap, LongSupplier random) {
		this.table = table;
		this.link = link;
		this.process = process;
		this.primary = table.primary().new Process(failoverGap, random, new Requests() {

			@Override
			public <T extends @Nullable Object> T read(String what, Supplier<T> effect) {
				return link.read(what, "", effect);
			}

			@Override
			public <T extends @Nullable Object> T write(String what, Supplier<T> effect) {
				return link.write(what, "", effect);
			}

		});
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
		return following(() -> write((floor > 0) ? "allocate from %d on".formatted(floor) : "allocate", key,
				() -> this.table.allocate(this.process, key, size, floor)));
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, Window window, Duration timeout) {
		Consumer<Allocation> allocated = allocating(key);
		return following(() -> !window.raises().equals(this.primary.raises()) ? null
				: write("allocate", List.of(key, window), () -> {
					Allocation allocation = this.table.allocate(this.process, key, size, window);
					if (allocation != null) {
						allocated.accept(allocation);
					}
					return allocation;
				}));
	}

	/**
	 * Called when numbers of a period are about to be allocated.
	 * @return the action to run when they have been allocated, even if the answer does
	 * not arrive
	 */
	Consumer<Allocation> allocating(String key) {
		return (allocation) -> {
		};
	}

	@Override
	public @Nullable Counter read(String key, Duration timeout) {
		return following(() -> {
			Runnable condition = this.primary.condition();
			Raises raises = this.primary.raises();
			return this.link.read("read", key, () -> {
				condition.run();
				return this.table.read(key, raises);
			});
		});
	}

	@Override
	public void checkWritable() {
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		try {
			return answered(() -> write("give back", unissued.toString(), () -> this.table.giveBackAll(unissued)));
		}
		catch (ServerChangedException ex) {
			return Set.of();
		}
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
		following(() -> {
			long first = this.primary.firstNumber(from);
			return write("create", key, () -> this.table.create(key, step, first));
		});
	}

	private <T extends @Nullable Object> T write(String what, Object about, Supplier<T> effect) {
		Runnable condition = this.primary.condition();
		return this.link.write(what, about, () -> {
			condition.run();
			return effect.get();
		});
	}

	private <T extends @Nullable Object> T following(Supplier<T> request) {
		for (int execution = 1;; execution++) {
			try {
				return answered(request);
			}
			catch (ServerChangedException ex) {
				if (execution == EXECUTIONS) {
					throw ex;
				}
				answered(() -> {
					this.primary.follow();
					return true;
				});
			}
		}
	}

	private static <T extends @Nullable Object> T answered(Supplier<T> request) {
		try {
			return request.get();
		}
		catch (LostAnswer ex) {
			throw new SegmentStoreException(ex.getMessage(), ex, false);
		}
	}

}
