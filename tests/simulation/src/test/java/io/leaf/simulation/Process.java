// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/**
 * A process: it has clocks of its own, which may be wrong, and can be paused and killed.
 */
final class Process {

	/**
	 * The true time at which a world begins.
	 */
	static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

	private final World world;

	private final String name;

	private final long born;

	private final double rate;

	private long wallOffset;

	private boolean alive = true;

	private long pausedUntil;

	/**
	 * Starts a process.
	 * @param rate how fast its clocks run, 1 for right
	 * @param wallOffset how far its wall clock is ahead, in nanoseconds
	 */
	Process(World world, String name, double rate, long wallOffset) {
		this.world = world;
		this.name = name;
		this.born = world.now();
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
	 * The monotonic clock.
	 */
	long nanoTime() {
		return (long) ((this.world.now() - this.born) * this.rate);
	}

	/**
	 * Returns how much true time passes while this process's clock moves by so much.
	 */
	long trueTime(long nanos) {
		return (long) (nanos / this.rate);
	}

	InstantSource wallClock() {
		return () -> BEGINNING.plusNanos(this.born + nanoTime() + this.wallOffset);
	}

	void stepWallClock(long nanos) {
		this.wallOffset += nanos;
		trace("wall clock stepped by %.3f s".formatted(nanos / 1e9));
	}

	/**
	 * Returns whether its clocks are right.
	 */
	boolean isRight() {
		return this.rate == 1 && this.wallOffset == 0;
	}

	long wallOffset() {
		return this.wallOffset;
	}

	/**
	 * Stops all threads of the process for some time.
	 */
	void pause(long nanos) {
		this.pausedUntil = Math.max(this.pausedUntil, this.world.now() + nanos);
		trace("paused for %.3f s".formatted(nanos / 1e9));
	}

	boolean isPaused() {
		return this.world.now() < this.pausedUntil;
	}

	long pausedUntil() {
		return this.pausedUntil;
	}

	/**
	 * Ends the process as {@code kill -9} does.
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
	 * Holds the calling thread up. The other threads of the process go on.
	 */
	void hold(long nanos) {
		check();
		long end = this.world.now() + nanos;
		this.world.runWhile(() -> this.alive && this.world.now() < end, end);
		endOfPause();
	}

	/**
	 * Holds the calling thread up until something has happened.
	 * @param nanos for how long at most, by this process's clock
	 * @return whether it has happened
	 */
	boolean await(BooleanSupplier happened, long nanos) {
		check();
		this.world.runWhile(() -> this.alive && !happened.getAsBoolean(), this.world.now() + trueTime(nanos));
		endOfPause();
		return happened.getAsBoolean();
	}

	private void endOfPause() {
		while (this.alive && isPaused()) {
			this.world.runWhile(() -> this.alive && isPaused(), this.pausedUntil);
		}
		check();
	}

}
