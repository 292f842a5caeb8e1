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
final class SegmentWorld implements Schedule {

	static final List<String> KEYS = List.of("order", "user");

	/**
	 * How long it may take until every caller is served again after all faults have
	 * ended, and what was under way by then: the longest backoff, the time until the rows
	 * are read again, and the time for which a caller has nothing to ask for.
	 */
	static final Duration RECOVERY = Duration.ofSeconds(2 + 5 + 4);

	private static final Duration REFRESH = Duration.ofSeconds(5);

	private static final long BETWEEN_FAULTS = TimeUnit.SECONDS.toNanos(8);

	private static final long LONGEST_FAULT = TimeUnit.SECONDS.toNanos(40);

	private static final int MOST_PROCESSES = 3;

	private static final int MOST_STARTS = 10;

	private final World world;

	private final Faults faults;

	private final SegmentSettings settings;

	private final SimulatedTable table = new SimulatedTable();

	private final List<SegmentProcess> processes = new ArrayList<>();

	private final Map<String, LongSet> issued = new HashMap<>();

	private final Map<String, Long> removed = new HashMap<>();

	// Whoever sees that a database has lost writes raises the row above all it knows. It
	// knows of its own numbers only: so this is promised to one process, and to one that
	// lives.
	private final boolean alone;

	private int starts;

	private boolean checked;

	SegmentWorld(World world) {
		this.world = world;
		this.faults = new Faults(world);
		Dice dice = world.dice();
		this.alone = dice.chance(0.2);
		SegmentSettings defaults = SegmentSettings.DEFAULTS;
		int autoCreateStep = dice.chance(0.1) ? 5 : 0;
		this.settings = new SegmentSettings(dice.pick(0.0, 0.1, 0.5, 1.0),
				dice.pick(Duration.ofSeconds(1), defaults.targetDuration()), dice.pick(1L, 50L, 400L),
				defaults.acquireTimeout(), REFRESH, dice.chance(0.3), dice.chance(0.5), autoCreateStep,
				dice.chance(0.3) ? Ordering.STRIPED : Ordering.STRICT);
		for (String key : KEYS) {
			this.issued.put(key, new LongSet());
			if (autoCreateStep == 0 || dice.chance(0.5)) {
				this.table.put(new SegmentRow(key, 1, dice.pick(1, 3, 10, 130)));
			}
		}
	}

	@Override
	public void play() {
		start();
		if (!this.alone) {
			start();
		}
		this.world.in(this.world.dice().upTo(BETWEEN_FAULTS), this::fault);
		this.world.in(Faults.DURATION, this::end);
		this.world.runWhile(() -> !this.checked, Long.MAX_VALUE);
	}

	private void end() {
		this.faults.end();
		this.table.down(false);
		this.processes.forEach((process) -> process.link().cut(false));
		for (String key : KEYS) {
			restoreRow(key, 0);
			editStep(key, 10);
		}
		this.world.calmDown(() -> {
			long settled = this.world.now();
			this.processes.removeIf((process) -> !process.isServing());
			this.world.in(recovery(), () -> check(settled));
		});
	}

	// who has a slow clock takes longer, by everybody else's
	private long recovery() {
		return RECOVERY.toNanos() * (this.faults.counts().containsKey(Fault.CLOCK_RATE) ? 2 : 1);
	}

	private void check(long settled) {
		this.processes.forEach((process) -> checkServed(process, settled));
		this.checked = true;
	}

	private void checkServed(SegmentProcess process, long settled) {
		if (!process.process().isAlive()) {
			return;
		}
		for (Caller caller : process.callers()) {
			if (caller.served() < settled) {
				this.world.violated("%s: a caller was not served within %s of the end of all faults: %s"
					.formatted(process.process().name(), RECOVERY, process.status()));
			}
		}
	}

	private void start() {
		if (this.starts == MOST_STARTS) {
			return;
		}
		double rate = this.faults.happens(Fault.CLOCK_RATE) ? this.world.dice().pick(0.5, 0.9, 1.1, 2.0) : 1;
		SegmentProcess process = new SegmentProcess(this, new Process(this.world, "p" + this.starts++, rate, 0));
		this.processes.add(process);
		process.start();
	}

	private void fault() {
		if (this.faults.areOver()) {
			return;
		}
		Dice dice = this.world.dice();
		this.processes.removeIf((process) -> !process.process().isAlive());
		if (!this.alone && (this.processes.isEmpty() || (this.processes.size() < MOST_PROCESSES && dice.chance(0.3)))) {
			start();
		}
		else if (!this.processes.isEmpty()) {
			fault(dice.pick(this.processes));
		}
		this.world.in(dice.upTo(BETWEEN_FAULTS), this::fault);
	}

	private void fault(SegmentProcess process) {
		Dice dice = this.world.dice();
		Fault fault = dice.pick(Fault.values());
		if (!this.faults.has(fault) || !process.isServing()) {
			return;
		}
		long nanos = this.faults.duration(LONGEST_FAULT);
		String key = dice.pick(KEYS);
		switch (fault) {
			case CRASH -> process.process().kill();
			case STOP -> process.stop();
			case PAUSE -> process.process().pause(nanos);
			case STORE_DOWN -> {
				this.table.down(true);
				process.process().trace("store down");
				this.world.in(nanos, () -> this.table.down(false));
			}
			case LINK_CUT -> {
				process.link().cut(true);
				process.process().trace("link cut");
				this.world.in(nanos, () -> process.link().cut(false));
			}
			case STEP_EDITED -> editStep(key, dice.pick(-1, 0, 1, 2, 7, 100));
			case ROW_REMOVED -> {
				// A row that is added to a key without one counts from 1, whatever was
				// issued before.
				if (this.settings.autoCreateStep() > 0) {
					return;
				}
				removeRow(key, nanos);
			}
			case DEPLOYED_LEAF -> {
				// it believes whatever the database says
				if (this.alone) {
					return;
				}
				deployedLeaf(key);
			}
			case FAILOVER -> {
				if (!this.alone) {
					return;
				}
				this.table.replicate();
				this.world.in(nanos, this::failOver);
			}
			default -> {
				// happens elsewhere, or in another world
				return;
			}
		}
		this.faults.count(fault);
	}

	private void failOver() {
		if (!this.faults.areOver()) {
			this.table.failOver();
			this.world.trace().line(this.world, "", "failover");
		}
	}

	private void editStep(String key, long step) {
		SegmentRow row = this.table.row(key);
		if (row != null) {
			this.table.put(new SegmentRow(key, row.maxId(), step));
			this.world.trace().line(this.world, "", "step of %s is %d".formatted(key, step));
		}
	}

	private void removeRow(String key, long nanos) {
		SegmentRow row = this.table.row(key);
		if (row != null) {
			this.table.remove(key);
			this.world.trace().line(this.world, "", "row removed: " + row);
			// whoever is alone remembers what it has issued; others must be told
			long maxId = (this.alone && this.world.dice().chance(0.5)) ? 1 : row.maxId();
			this.removed.merge(key, maxId, Math::max);
			this.world.in(nanos, () -> restoreRow(key, maxId));
		}
	}

	private void restoreRow(String key, long maxId) {
		if (this.table.row(key) == null) {
			this.table.put(new SegmentRow(key, Math.max(maxId, this.removed.getOrDefault(key, 1L)), 10));
			this.world.trace().line(this.world, "", "row added: " + this.table.row(key));
		}
	}

	// what it takes it issues at once
	private void deployedLeaf(String key) {
		SegmentRow row = this.table.row(key);
		if (row == null || row.step() < 1) {
			return;
		}
		Allocation segment = this.table.allocate("leaf", key, row.step());
		for (long number = row.maxId(); number < row.maxId() + row.step(); number++) {
			if (!this.issued.get(key).add(number)) {
				this.world.violated("Leaf draws %d of %s, which was issued before: %s".formatted(number, key, segment));
			}
		}
		this.world.trace().line(this.world, "leaf", "allocates " + segment);
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
	public Faults faults() {
		return this.faults;
	}

	@Override
	public int issuedIds() {
		return this.issued.values().stream().mapToInt(LongSet::size).sum();
	}

}
