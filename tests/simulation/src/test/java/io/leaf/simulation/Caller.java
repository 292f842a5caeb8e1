// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import io.leaf.IdGenerationException;

/**
 * A thread of an application that requests IDs repeatedly.
 */
final class Caller {

	private static final long PAUSE = TimeUnit.SECONDS.toNanos(4);

	private static final long CORES_BUSY = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int LARGEST_BATCH = 10;

	private final Process process;

	private final int number;

	private final IntFunction<long[]> source;

	private final IdChecker checker;

	private long served = -1;

	private boolean crowdedOut;

	/**
	 * Creates a caller.
	 * @param number its number within the process, which is also the ID of its simulated
	 * thread
	 * @param source draws a given number of IDs
	 */
	Caller(Process process, int number, IntFunction<long[]> source, IdChecker checker) {
		this.process = process;
		this.number = number;
		this.source = source;
		this.checker = checker;
	}

	/**
	 * Starts the caller, at once or after a random pause.
	 */
	void begin() {
		RandomSource random = this.process.world().random();
		this.process.world().in(random.chance(0.5) ? 0 : random.between(0, PAUSE), this::step);
	}

	/**
	 * Returns when the caller was last served, in true nanoseconds; -1 if never.
	 */
	long served() {
		return this.served;
	}

	/**
	 * Returns whether other waiting callers prevent it from requesting IDs, which is an
	 * effect of the simulation and not of the library.
	 */
	boolean isCrowdedOut() {
		return this.crowdedOut;
	}

	private void step() {
		if (!this.process.isAlive()) {
			return;
		}
		if (this.process.isPaused()) {
			this.process.world().in(this.process.pausedUntil() - this.process.world().now(), this::step);
			return;
		}
		this.crowdedOut = !this.process.world().hasRoomFor(World.Role.CALLER);
		if (this.crowdedOut) {
			this.process.world().in(CORES_BUSY, this::step);
			return;
		}
		RandomSource random = this.process.world().random();
		int calls = (int) random.between(1, 3);
		for (int i = 0; i < calls && call(random.chance(0.25) ? (int) random.between(2, LARGEST_BATCH) : 1); i++) {
			// continues as long as calls succeed
		}
		this.process.world().in(random.between(0, PAUSE), this::step);
	}

	private boolean call(int count) {
		IdChecker.Call begun = this.checker.begin();
		try {
			long[] ids;
			long before = SimulationThread.switchTo(this.number);
			try {
				ids = this.source.apply(count);
			}
			finally {
				SimulationThread.switchTo(before);
			}
			this.process.check();
			this.served = this.process.world().now();
			this.checker.end(begun, ids);
			return true;
		}
		catch (IdGenerationException ex) {
			if (this.checker.isExhausted()) {
				this.served = this.process.world().now();
			}
			if (this.process.world().trace().isKept()) {
				this.process.trace("caller " + this.number + ": " + ex);
			}
			return false;
		}
	}

}
