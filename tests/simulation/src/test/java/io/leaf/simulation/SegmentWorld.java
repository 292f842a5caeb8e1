// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStore.Allocation;

/**
 * Processes that allocate from the same rows.
 */
final class SegmentWorld extends SharedStoreWorld<SegmentProcess> {

	static final List<String> KEYS = List.of("order", "user");

	private static final Duration REFRESH = Duration.ofSeconds(5);

	/**
	 * The longest backoff, the time until the rows are read again, and the time for which
	 * a caller has nothing to ask for.
	 */
	private static final Duration RECOVERY = REFRESH.plusSeconds(2 + 4);

	private static final int MOST_PROCESSES = 3;

	private static final int MOST_STARTS = 10;

	private final SegmentSettings settings;

	private final SimulatedTable table = new SimulatedTable();

	private final Map<String, LongSet> issued = new HashMap<>();

	private final Map<String, Long> removed = new HashMap<>();

	// Whoever sees that a database has lost writes raises the row above all it knows. It
	// knows of its own numbers only: so this is promised to one process, and to one that
	// lives.
	private final boolean alone;

	SegmentWorld(World world) {
		super(world, MOST_PROCESSES, MOST_STARTS);
		Dice dice = world.dice();
		this.alone = dice.chance(0.2);
		SegmentSettings defaults = SegmentSettings.DEFAULTS;
		int autoCreateStep = dice.chance(0.1) ? 5 : 0;
		this.settings = new SegmentSettings(dice.pick(0.0, 0.1, 0.5, 1.0),
				dice.pick(Duration.ofSeconds(1), defaults.targetDuration()), dice.pick(1L, 50L, 400L),
				defaults.acquireTimeout(), REFRESH, dice.chance(0.3), dice.chance(0.5), autoCreateStep,
				dice.chance(0.3) ? Ordering.STRIPED : Ordering.STRICT, true, defaults.startFrom(),
				defaults.aboveExistingIds());
		for (String key : KEYS) {
			this.issued.put(key, new LongSet());
			if (autoCreateStep == 0 || dice.chance(0.5)) {
				this.table.put(new SegmentRow(key, 1, dice.pick(1, 3, 10, 130)));
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
	void mend() {
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
		double rate = faults().happens(Fault.CLOCK_RATE) ? world().dice().pick(0.5, 0.9, 1.1, 2.0) : 1;
		add(new SegmentProcess(this, new Process(world(), nextName(), rate, 0)));
	}

	@Override
	boolean inflict(Fault fault, SegmentProcess process, long nanos) {
		Dice dice = world().dice();
		String key = dice.pick(KEYS);
		switch (fault) {
			case STEP_EDITED -> editStep(key, dice.pick(-1, 0, 1, 2, 7, 100));
			case ROW_REMOVED -> {
				// A row that is added to a key without one counts from 1, whatever was
				// issued before.
				if (this.settings.autoCreateStep() > 0) {
					return false;
				}
				removeRow(key, nanos);
			}
			case DEPLOYED_LEAF -> {
				// it believes whatever the database says
				if (this.alone) {
					return false;
				}
				deployedLeaf(key);
			}
			case FAILOVER -> {
				if (!this.alone) {
					return false;
				}
				this.table.replicate();
				world().in(nanos, this::failOver);
			}
			default -> {
				return super.inflict(fault, process, nanos);
			}
		}
		return true;
	}

	private void failOver() {
		if (!faults().areOver()) {
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
			// whoever is alone remembers what it has issued; others must be told
			long maxId = (this.alone && world().dice().chance(0.5)) ? 1 : row.maxId();
			this.removed.merge(key, maxId, Math::max);
			world().in(nanos, () -> restoreRow(key, maxId));
		}
	}

	private void restoreRow(String key, long maxId) {
		if (this.table.row(key) == null) {
			this.table.put(new SegmentRow(key, Math.max(maxId, this.removed.getOrDefault(key, 1L)), 10));
			world().trace().line(world(), "", "row added: " + this.table.row(key));
		}
	}

	// what it takes it issues at once
	private void deployedLeaf(String key) {
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

	SegmentSettings settings() {
		return this.settings;
	}

	SimulatedTable table() {
		return this.table;
	}

	LongSet issued(String key) {
		return this.issued.get(key);
	}

	@Override
	public int issuedIds() {
		return this.issued.values().stream().mapToInt(LongSet::size).sum();
	}

}
