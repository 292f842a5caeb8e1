// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStore.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * A world in which processes allocate from the same rows.
 */
final class SegmentWorld extends SharedStoreWorld<SegmentProcess> {

	static final List<String> KEYS = List.of("order", "user");

	private static final Duration REFRESH = Duration.ofSeconds(5);

	/**
	 * The sum of the longest backoff, the refresh interval, and the longest pause of a
	 * caller between two requests.
	 */
	private static final Duration RECOVERY = REFRESH.plusMillis(500 + 4_000);

	/**
	 * More numbers than all processes allocate in a schedule.
	 */
	private static final long GAP = 100_000;

	/**
	 * How many numbers of a key the callers of a process need at once, at most.
	 */
	private static final long LARGEST_DEMAND = TableProcess.CALLERS_PER_KEY * 10L;

	private static final int MAX_PROCESSES = 3;

	private static final int MAX_STARTS = 10;

	private final SegmentSettings settings;

	private final SegmentSettings serverSettings;

	private final long serverMaxStep;

	private final int callersOfServers;

	private final SimulatedTable table = new SimulatedTable();

	private final Map<String, LongSet> issued = new HashMap<>();

	private final Map<String, Long> removed = new HashMap<>();

	private final Map<String, IdChecker.Order> orders = new HashMap<>();

	// Whether there is only one process. If a process notices that the database has lost
	// writes, it raises the row above every number that it knows. It knows only its own
	// numbers, so without a failover gap, numbers are guaranteed to be unique only if
	// there is a single process that stays alive.
	private final boolean alone;

	private final long failoverGap;

	/**
	 * Creates a world.
	 * @param servers whether some processes are clients of Leaf servers
	 */
	SegmentWorld(World world, boolean servers) {
		super(world, MAX_PROCESSES, MAX_STARTS, servers);
		RandomSource random = world.random();
		this.alone = !servers && random.chance(0.2);
		this.failoverGap = random.chance(0.3) ? GAP : 0;
		int autoCreateStep = random.chance((this.failoverGap > 0) ? 0.5 : 0.1) ? 5 : 0;
		this.settings = SegmentSettings.builder()
			.prefetchAt(random.pick(0.0, 0.1, 0.5, 1.0))
			.targetDuration(random.pick(Duration.ofSeconds(1), Duration.ofMinutes(15)))
			.maxStep(random.pick(1L, 50L, 400L))
			.acquireTimeout(Duration.ofSeconds(2))
			.refreshInterval(REFRESH)
			.preload(random.chance(0.3))
			.failFast(random.chance(0.5))
			.autoCreateStep(autoCreateStep)
			.ordering(random.pick(Ordering.values()))
			.giveBack(true)
			.keys(Map.of())
			.aboveExistingIds(true)
			.build();
		// the ordering may differ between servers and their clients
		this.serverSettings = servers ? this.settings.toBuilder().ordering(random.pick(Ordering.values())).build()
				: this.settings;
		this.serverMaxStep = servers ? random.pick(LARGEST_DEMAND, 400L) : 0;
		this.callersOfServers = (servers && random.chance(0.5)) ? TableProcess.CALLERS_PER_KEY : 0;
		for (String key : KEYS) {
			this.issued.put(key, new LongSet());
			if (autoCreateStep == 0 || random.chance(0.5)) {
				this.table.put(new SegmentRow(key, 1, random.pick(1, 3, 10, 130)));
			}
		}
	}

	@Override
	Server server() {
		return this.table;
	}

	@Override
	void begin() {
		start();
		if (!this.alone) {
			start();
		}
	}

	@Override
	boolean mayGrow() {
		return !this.alone;
	}

	@Override
	void repair() {
		for (String key : KEYS) {
			restoreRow(key, 0);
			editStep(key, 10);
		}
	}

	@Override
	Duration recovery() {
		return RECOVERY;
	}

	@Override
	void start() {
		add(new SegmentProcess(this, process(nextName()), this.settings, drawServers(), TableProcess.CALLERS_PER_KEY));
	}

	@Override
	void start(LeafServer server) {
		SegmentProcess process = new SegmentProcess(this, process(server.nextName()), this.serverSettings, List.of(),
				this.callersOfServers);
		server.listen(process, process.servlet(this.serverMaxStep), faults());
	}

	private Process process(String name) {
		double rate = faults().happens(Fault.CLOCK_RATE) ? world().random().pick(0.5, 0.9, 1.1, 2.0) : 1;
		return new Process(world(), name, rate, 0);
	}

	@Override
	boolean inject(Fault fault, SegmentProcess process, long nanos) {
		RandomSource random = world().random();
		String key = random.pick(KEYS);
		switch (fault) {
			case STEP_EDITED -> editStep(key, random.pick(-1, 0, 1, 2, 7, 100));
			case ROW_REMOVED -> {
				// With auto-create, a missing row is added with 1 as the first number,
				// whatever was issued before.
				if (this.settings.autoCreateStep() > 0) {
					return false;
				}
				removeRow(key, nanos);
			}
			case MEITUAN_LEAF -> {
				// a server of Meituan's Leaf does not notice that the database has lost
				// writes
				if (this.alone || this.failoverGap > 0) {
					return false;
				}
				meituanLeaf(key);
			}
			case FAILOVER -> {
				if (!this.alone && this.failoverGap == 0) {
					return false;
				}
				// sometimes the replica lags further behind
				if (random.chance(0.7)) {
					this.table.replicate();
				}
				world().in(nanos, this::failOver);
			}
			default -> {
				return super.inject(fault, process, nanos);
			}
		}
		return true;
	}

	private void failOver() {
		// If a failover loses the raise that followed the previous failover, only
		// processes that have seen this raise notice the loss. Such failovers are left
		// out.
		if (!faults().areOver() && (this.alone || this.table.primary().isReplicated())) {
			this.table.failOver();
			world().trace().line(world(), "", "failover");
		}
	}

	private void editStep(String key, long step) {
		SegmentRow row = this.table.row(key);
		if (row != null) {
			this.table.put(new SegmentRow(key, row.maxId(), step));
			world().trace().line(world(), "", "step of %s is %d".formatted(key, step));
		}
	}

	private void removeRow(String key, long nanos) {
		SegmentRow row = this.table.row(key);
		if (row != null) {
			this.table.remove(key);
			world().trace().line(world(), "", "row removed: " + row);
			// a single process knows its own numbers; several processes need the counter
			// as it was
			long maxId = (this.alone && world().random().chance(0.5)) ? 1 : row.maxId() - raised();
			this.removed.merge(key, maxId, Math::max);
			world().in(nanos, () -> restoreRow(key, maxId));
		}
	}

	private void restoreRow(String key, long maxId) {
		if (this.table.row(key) == null) {
			// an operator knows by how much the counters have been raised
			this.table.put(new SegmentRow(key, Math.max(maxId, this.removed.getOrDefault(key, 1L)) + raised(), 10));
			world().trace().line(world(), "", "row added: " + this.table.row(key));
		}
	}

	private long raised() {
		return this.table.primary().raised();
	}

	// Allocates a segment for a server of Meituan's Leaf, which issues its numbers at
	// once.
	private void meituanLeaf(String key) {
		SegmentRow row = this.table.row(key);
		if (row == null || row.step() < 1) {
			return;
		}
		Allocation segment = this.table.allocate("leaf", key, row.step(), 0);
		for (long number = row.maxId(); number < row.maxId() + row.step(); number++) {
			if (!this.issued.get(key).add(number)) {
				world().violated("Leaf draws %d of %s, which was issued before: %s".formatted(number, key, segment));
			}
		}
		world().trace().line(world(), "leaf", "allocates " + segment);
	}

	long failoverGap() {
		return this.failoverGap;
	}

	SimulatedTable table() {
		return this.table;
	}

	/**
	 * Returns the order in which the IDs of a new process must ascend for a key, or
	 * {@code null} if they need not ascend. All processes share one order per key if the
	 * ordering is global.
	 */
	IdChecker.@Nullable Order order(String key, Ordering ordering) {
		return switch (ordering) {
			case STRICT -> new IdChecker.Order();
			case STRIPED -> null;
			case GLOBAL -> this.orders.computeIfAbsent(key, (absent) -> new IdChecker.Order());
		};
	}

	LongSet issued(String key) {
		return this.issued.get(key);
	}

	@Override
	int issuedIds() {
		return this.issued.values().stream().mapToInt(LongSet::size).sum();
	}

}
