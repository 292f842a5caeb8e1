// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentStore.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * A process that issues numbers from segments.
 */
final class SegmentProcess extends TableProcess {

	private final SegmentWorld world;

	// how many numbers of each key the calls that have not returned need
	private final Map<String, Integer> wanted = new HashMap<>();

	SegmentProcess(SegmentWorld world, Process process) {
		super(process, world.table(), world.faults());
		this.world = world;
		use(new SimulatedSegmentStore(world.table(), link(), process.name(), world.failoverGap(),
				process.world().random()::nextLong) {
			@Override
			public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
				checkDemand(key, size);
				return super.allocate(key, size, floor, timeout);
			}
		}, world.settings());
		for (String key : SegmentWorld.KEYS) {
			NumberChecker checker = new NumberChecker(process, world.table(), key, world.issued(key), world.order(key));
			for (int i = 0; i < CALLERS_A_KEY; i++) {
				add(new Caller(process, callers().size(), (count) -> drawCounted(key, count), checker));
			}
		}
	}

	private long[] drawCounted(String key, int count) {
		this.wanted.merge(key, count, Integer::sum);
		try {
			return draw(key, count);
		}
		finally {
			this.wanted.merge(key, -count, Integer::sum);
		}
	}

	private void checkDemand(String key, long size) {
		int wanted = this.wanted.getOrDefault(key, 0);
		if (this.world.settings().ordering() == Ordering.GLOBAL && size > wanted) {
			this.world.world()
				.violated("%s allocates %d numbers of %s, of which its callers need %d".formatted(process().name(),
						size, key, wanted));
		}
	}

	/**
	 * Checks numbers from segments: they were allocated to the process that issues them.
	 */
	private static final class NumberChecker extends IdChecker {

		private final SimulatedTable table;

		private final String process;

		private final String key;

		private final LongSet issued;

		NumberChecker(Process process, SimulatedTable table, String key, LongSet issued, @Nullable Order order) {
			super(process, order);
			this.issued = issued;
			this.table = table;
			this.process = process.name();
			this.key = key;
		}

		@Override
		void check(long id, long asked) {
			if (!this.issued.add(id)) {
				violated(id, "was issued before");
			}
			if (!this.table.isAllocated(this.process, this.key, id)) {
				violated(id, "was never allocated to it");
			}
		}

	}

}
