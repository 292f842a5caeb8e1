// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Processes that share a store. They start, and faults happen, until all faults end; then
 * every caller must be served again. This may repeat with the same processes.
 *
 * @param <P> the type of the processes
 */
abstract class SharedStoreWorld<P extends IssuingProcess> {

	private static final long BETWEEN_FAULTS = TimeUnit.SECONDS.toNanos(8);

	private static final long LONGEST_FAULT = TimeUnit.SECONDS.toNanos(40);

	/**
	 * How many times the recovery time may pass if there was nothing to serve callers
	 * with.
	 */
	private static final int ROUNDS = 4;

	private final World world;

	private final Faults faults;

	private final int mostProcesses;

	private final int mostStarts;

	private final List<P> processes = new ArrayList<>();

	private int starts;

	private boolean checked;

	/**
	 * Creates a world in which no process runs yet.
	 * @param mostProcesses the largest number of processes at a time
	 * @param mostStarts the total number of process starts
	 */
	SharedStoreWorld(World world, int mostProcesses, int mostStarts) {
		this.world = world;
		this.faults = new Faults(world);
		this.mostProcesses = mostProcesses;
		this.mostStarts = mostStarts;
	}

	/**
	 * Returns the store.
	 */
	abstract Server server();

	/**
	 * Starts the initial processes.
	 */
	abstract void begin();

	/**
	 * Starts a process.
	 */
	abstract void start();

	/**
	 * Repairs everything except the store and the links to it when all faults end.
	 */
	abstract void mend();

	/**
	 * Returns how long it may take until every caller is served again after all faults
	 * and the operations under way have ended.
	 */
	abstract Duration recovery();

	/**
	 * Returns whether further processes may start.
	 */
	boolean mayGrow() {
		return true;
	}

	/**
	 * Called when all faults and the operations under way have ended.
	 */
	void settled(P process) {
	}

	/**
	 * Returns whether a process has had a source of IDs for its callers since all faults
	 * ended.
	 */
	boolean canServe(P process) {
		return true;
	}

	/**
	 * Called when a process reaches the store again.
	 */
	void reachable(P process) {
	}

	/**
	 * Called after a process was killed, or has shut down gracefully.
	 */
	void ended(P process) {
	}

	/**
	 * Called when every caller has been served again.
	 * @return whether faults happen once more
	 */
	boolean again() {
		return false;
	}

	/**
	 * Makes a fault happen.
	 * @param process the process that it happens to
	 * @param nanos how long it lasts
	 * @return whether this world has such a fault
	 */
	boolean inflict(Fault fault, P process, long nanos) {
		switch (fault) {
			case CRASH -> {
				process.process().kill();
				ended(process);
			}
			case STOP -> process.stop(() -> ended(process));
			case PAUSE -> process.process().pause(nanos);
			case STORE_DOWN -> {
				server().down(true);
				process.process().trace("store down");
				this.world.in(nanos, () -> {
					server().down(false);
					this.processes.forEach(this::reachable);
				});
			}
			case LINK_CUT -> cut(process, nanos);
			default -> {
				return false;
			}
		}
		return true;
	}

	final void cut(P process, long nanos) {
		process.link().cut(true);
		process.process().trace("link cut");
		this.world.in(nanos, () -> {
			process.link().cut(false);
			reachable(process);
		});
	}

	final long faultDuration() {
		return this.faults.duration(LONGEST_FAULT);
	}

	final List<P> processes() {
		return this.processes;
	}

	final boolean mayStart() {
		return this.starts < this.mostStarts;
	}

	/**
	 * Returns the name of the process that starts next.
	 */
	final String nextName() {
		return "p" + this.starts++;
	}

	final void add(P process) {
		this.processes.add(process);
		process.start();
	}

	/**
	 * Plays the schedule. Violations are recorded in the world.
	 */
	final void play() {
		begin();
		playFaults();
		while (this.world.violation() == null && again()) {
			this.world.goOn();
			this.faults.begin();
			this.checked = false;
			playFaults();
		}
	}

	private void playFaults() {
		this.world.in(this.world.random().upTo(BETWEEN_FAULTS), this::fault);
		this.world.in(Faults.DURATION, this::end);
		this.world.runWhile(() -> !this.checked, Long.MAX_VALUE);
	}

	private void fault() {
		if (this.faults.areOver()) {
			return;
		}
		RandomSource random = this.world.random();
		this.processes.removeIf((process) -> !process.process().isAlive());
		boolean grows = mayGrow()
				&& (this.processes.isEmpty() || (this.processes.size() < this.mostProcesses && random.chance(0.3)));
		if (grows) {
			if (mayStart()) {
				start();
			}
		}
		else if (!this.processes.isEmpty()) {
			fault(random.pick(this.processes));
		}
		this.world.in(random.upTo(BETWEEN_FAULTS), this::fault);
	}

	private void fault(P process) {
		Fault fault = this.world.random().pick(Fault.values());
		if (this.faults.has(fault) && process.isServing() && inflict(fault, process, faultDuration())) {
			this.faults.count(fault);
		}
	}

	private void end() {
		this.faults.end();
		server().down(false);
		this.processes.forEach((process) -> {
			process.link().cut(false);
			reachable(process);
		});
		mend();
		this.world.calmDown(() -> {
			long settled = this.world.now();
			this.processes.removeIf((process) -> !process.isServing());
			checkLater(settled, ROUNDS);
		});
	}

	// A lease may run out only now, and then serve processes that had none before.
	private void checkLater(long settled, int rounds) {
		this.processes.forEach(this::settled);
		// a process with a slow clock takes longer, measured by other clocks
		int slowdown = this.faults.counts().containsKey(Fault.CLOCK_RATE) ? 2 : 1;
		this.world.in(recovery().toNanos() * slowdown, () -> check(settled, rounds - 1));
	}

	private void check(long settled, int rounds) {
		boolean served = true;
		for (P process : this.processes) {
			for (Caller caller : process.callers()) {
				if (process.process().isAlive() && caller.served() < settled && !caller.isCrowdedOut()) {
					served = false;
					checkServed(process);
				}
			}
		}
		if (served || rounds == 0) {
			this.checked = true;
		}
		else {
			checkLater(settled, rounds);
		}
	}

	private void checkServed(P process) {
		if (canServe(process)) {
			this.world.violated("%s: a caller was not served within %s of the end of all faults: %s"
				.formatted(process.process().name(), recovery(), process.status()));
		}
	}

	final World world() {
		return this.world;
	}

	/**
	 * Returns which faults have happened.
	 */
	final Faults faults() {
		return this.faults;
	}

	/**
	 * Returns how many IDs were drawn.
	 */
	abstract int issuedIds();

}
