// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/**
 * A simulated process with its own clocks, which may be wrong. It can be paused and
 * killed.
 */
final class Process {

	/**
	 * The true time at which a world begins.
	 */
	static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

	private final World world;

	private final String name;

	private long clockStart;

	private final double rate;

	private long wallOffset;

	private boolean alive = true;

	private long pausedUntil;

	/**
	 * Creates a process.
	 * @param rate the rate of its clocks, 1 if they are right
	 * @param wallOffset how far ahead its wall clock is, in nanoseconds
	 */
	Process(World world, String name, double rate, long wallOffset) {
		this.world = world;
		this.name = name;
		this.clockStart = world.now();
		this.rate = rate;
		this.wallOffset = wallOffset;
	}

	World world() {
		return this.world;
	}

	String name() {
		return this.name;
	}

	boolean isAlive() {
		return this.alive;
	}

	void trace(String what) {
		this.world.trace().line(this.world, this.name, what);
	}

	/**
	 * Returns the time on the monotonic clock.
	 */
	long nanoTime() {
		return (long) ((this.world.now() - this.clockStart) * this.rate);
	}

	/**
	 * Returns how much true time passes while this process's clock advances by the given
	 * time.
	 */
	long trueTime(long nanos) {
		return (long) (nanos / this.rate);
	}

	InstantSource wallClock() {
		return () -> BEGINNING.plusNanos(this.clockStart + nanoTime() + this.wallOffset);
	}

	void stepWallClock(long nanos) {
		this.wallOffset += nanos;
		trace("wall clock stepped by %.3f s".formatted(nanos / 1e9));
	}

	/**
	 * Returns whether its clocks are right.
	 */
	boolean hasRightClocks() {
		return this.rate == 1 && this.wallOffset == 0;
	}

	long wallOffset() {
		return this.wallOffset;
	}

	/**
	 * Pauses all threads of the process for some time.
	 */
	void pause(long nanos) {
		this.pausedUntil = Math.max(this.pausedUntil, this.world.now() + nanos);
		trace("paused for %.3f s".formatted(nanos / 1e9));
	}

	/**
	 * Lets the machine of the process sleep, so that the monotonic clock stands still. No
	 * thread of the process may be working.
	 */
	void sleep(long nanos) {
		pause(nanos);
		this.clockStart += nanos;
	}

	boolean isPaused() {
		return this.world.now() < this.pausedUntil;
	}

	long pausedUntil() {
		return this.pausedUntil;
	}

	/**
	 * Ends the process like {@code kill -9}.
	 */
	void kill() {
		this.alive = false;
		trace("killed");
	}

	/**
	 * Ends the calling thread if the process has been killed.
	 */
	void check() {
		if (!this.alive) {
			throw Crash.CRASH;
		}
	}

	/**
	 * Delays the calling thread. The other threads of the process continue.
	 */
	void hold(long nanos) {
		check();
		long end = this.world.now() + nanos;
		this.world.runWhile(() -> this.alive && this.world.now() < end, end);
		endOfPause();
	}

	/**
	 * Blocks the calling thread until a condition holds.
	 * @param nanos the longest time to wait, by this process's clock
	 * @return whether the condition holds
	 */
	boolean await(BooleanSupplier condition, long nanos) {
		check();
		this.world.runWhile(() -> this.alive && !condition.getAsBoolean(), this.world.now() + trueTime(nanos));
		endOfPause();
		return condition.getAsBoolean();
	}

	private void endOfPause() {
		while (this.alive && isPaused()) {
			this.world.runWhile(() -> this.alive && isPaused(), this.pausedUntil);
		}
		check();
	}

	/**
	 * Ends the simulated threads of a process that has been killed, at any point in their
	 * code. Code that still runs while the threads end has no effect, because the world
	 * no longer answers the process.
	 */
	static final class Crash extends Error {

		private static final long serialVersionUID = 1L;

		static final Crash CRASH = new Crash();

		private Crash() {
			super("killed", null, false, false);
		}

	}

}
