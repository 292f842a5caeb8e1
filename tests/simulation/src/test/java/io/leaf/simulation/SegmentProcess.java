// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.server.ServerSegmentStore;
import io.leaf.server.api.SimulatedServlets;
import jakarta.servlet.http.HttpServlet;
import org.jspecify.annotations.Nullable;

/**
 * A process that issues numbers from segments.
 */
final class SegmentProcess extends TableProcess {

	private final SegmentWorld world;

	private final SegmentSettings settings;

	private final SegmentStore store;

	// by key: the end of the range that a Leaf server handed out last
	private final Map<String, Long> ends = new HashMap<>();

	// by key: how many numbers the calls under way need
	private final Map<String, Integer> wanted = new HashMap<>();

	/**
	 * Creates a process.
	 * @param servers the Leaf servers that the process is a client of. If empty, the
	 * process uses the table itself
	 * @param callersPerKey how many callers there are per key
	 */
	SegmentProcess(SegmentWorld world, Process process, SegmentSettings settings, List<LeafServer> servers,
			int callersPerKey) {
		super(process, servers.isEmpty() ? List.of(world.table()) : servers, world.faults());
		this.world = world;
		this.settings = settings;
		this.store = servers.isEmpty()
				? new SimulatedSegmentStore(world.table(), link(), process.name(), world.failoverGap(),
						process.world().random()::nextLong)
				: new ServerSegmentStore(SimulatedHttp.client(this, servers, world.faults()),
						(key) -> settings.ordering() == Ordering.GLOBAL);
		use(new ForwardingSegmentStore(this.store) {
			@Override
			public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
				checkDemand(key, size);
				Allocation allocation = super.allocate(key, size, floor, timeout);
				if (allocation != null && !servers.isEmpty()) {
					received(key, allocation);
				}
				return allocation;
			}
		}, settings);
		for (String key : SegmentWorld.KEYS) {
			NumberChecker checker = new NumberChecker(process, world.table(), key, world.issued(key),
					world.order(key, settings.ordering()));
			for (int i = 0; i < callersPerKey; i++) {
				add(new Caller(process, callers().size(), (count) -> drawCounted(key, count), checker));
			}
		}
	}

	/**
	 * Returns the servlet that answers requests if this process is a Leaf server.
	 */
	HttpServlet servlet(long maxStep) {
		return SimulatedServlets.ranges(generator(), this.store, process().wallClock(), maxStep, (key) -> false,
				(key) -> this.settings.autoCreateStep() > 0);
	}

	private void received(String key, Allocation range) {
		World world = process().world();
		if (!this.world.table().passOn(this.world.servers(), process().name(), key, range)) {
			world.violated(
					"%s received %s of %s, which no server had allocated".formatted(process().name(), range, key));
		}
		long end = this.ends.getOrDefault(key, 0L);
		if (range.from() < end) {
			world.violated("%s received %s of %s after numbers up to %d".formatted(process().name(), range, key, end));
		}
		this.ends.put(key, range.to());
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
		if (this.settings.ordering() == Ordering.GLOBAL && size > wanted) {
			this.world.world()
				.violated("%s allocates %d numbers of %s, but its callers need only %d".formatted(process().name(),
						size, key, wanted));
		}
	}

	/**
	 * Checks that each number is new and was allocated to the process that issues it.
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
		void check(long id, long callStart) {
			if (!this.issued.add(id)) {
				violated(id, "was issued before");
			}
			if (!this.table.isAllocated(this.process, this.key, id)) {
				violated(id, "was never allocated to it");
			}
		}

	}

}
