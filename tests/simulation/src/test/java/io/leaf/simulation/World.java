// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Time that passes from event to event, and nowhere else.
 * <p>
 * All threads of all processes of a schedule are played by one thread. What blocks in the
 * production code (a call to a store, a write to a disk, a wait for an ID) lets the other
 * events go on from within: {@link #runWhile} takes them from the queue until the wait is
 * over, and then returns to the code that waits. So between a request and its answer
 * anything may happen, to the same process as well. What a real machine can do and this
 * cannot: where one wait has begun during another, the outer one does not end before the
 * inner one. It is answered late then, as if the network were slow.
 */
public final class World {

	/**
	 * More events than a schedule ever has: a few thousand is ordinary.
	 */
	private static final long RUNAWAY = 300_000;

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::time).thenComparingLong(Event::number));

	private final Dice dice;

	private final Trace trace;

	private long now;

	private long number;

	private long happened;

	private int depth;

	private boolean calm;

	private @Nullable String violation;

	World(long seed, Trace trace) {
		this.dice = new Dice(seed);
		this.trace = trace;
	}

	Dice dice() {
		return this.dice;
	}

	Trace trace() {
		return this.trace;
	}

	/**
	 * Returns the true time, in nanoseconds since the beginning.
	 */
	long now() {
		return this.now;
	}

	/**
	 * Returns the true time, in milliseconds since the beginning.
	 */
	long millis() {
		return TimeUnit.NANOSECONDS.toMillis(this.now);
	}

	/**
	 * Lets something happen.
	 * @param delay in how many nanoseconds
	 */
	void in(long delay, Runnable action) {
		this.events.add(new Event(this.now + Math.max(0, delay), this.number++, action));
	}

	/**
	 * Lets time pass.
	 * @param nanos how much
	 */
	void pass(long nanos) {
		runWhile(() -> true, this.now + nanos);
	}

	/**
	 * Lets events happen as long as there is something to wait for.
	 * @param waiting whether there is
	 * @param end when to stop waiting. Time may have passed it on return: the events that
	 * happened may have waited themselves
	 */
	void runWhile(BooleanSupplier waiting, long end) {
		this.depth++;
		while (waiting.getAsBoolean()) {
			Event next = this.events.peek();
			if (next == null || next.time > end) {
				this.now = Math.max(this.now, end);
				break;
			}
			this.events.remove();
			this.now = Math.max(this.now, next.time);
			run(next.action);
			if (++this.happened == RUNAWAY) {
				violated("it does not come to an end: " + next.action.getClass() + " " + next.time + " of "
						+ this.events.size() + " depth " + this.depth);
				this.events.clear();
			}
		}
		this.depth--;
	}

	/**
	 * Returns whether a thread may begin something now. Only so many may be in the middle
	 * of something, since the first of them goes on last; and those that others wait for
	 * must be able to begin when those who wait cannot.
	 */
	boolean hasRoomFor(Role role) {
		return this.depth <= ((this.calm && role != Role.LIBRARY) ? 1 : role.deepest);
	}

	/**
	 * Lets whoever is in the middle of something come to an end before callers begin
	 * anything new.
	 * @param settled what is done then
	 */
	void calmDown(Runnable settled) {
		this.calm = true;
		if (this.depth == 1) {
			settled.run();
		}
		else {
			in(TimeUnit.MILLISECONDS.toNanos(10), () -> calmDown(settled));
		}
	}

	private void run(Runnable action) {
		try {
			action.run();
		}
		catch (Crash ex) {
			// a thread of a process that was killed
		}
		catch (RuntimeException | Error ex) {
			violated("unexpected: " + ex + " at " + Arrays.toString(ex.getStackTrace()));
		}
	}

	/**
	 * Notes that a guarantee has been broken. Nothing is thrown, since the code under
	 * test would catch it.
	 */
	void violated(String what) {
		if (this.violation == null) {
			this.violation = what;
			this.trace.line(this, "", "VIOLATED: " + what);
		}
	}

	/**
	 * Returns the first guarantee that was broken, or {@code null}.
	 */
	@Nullable String violation() {
		return this.violation;
	}

	/**
	 * What a simulated thread does.
	 */
	enum Role {

		/** Starts and stops a process. Waits for the library's threads, and for long. */
		MAIN(2),

		/** Asks for IDs. Waits for the library's threads. */
		CALLER(5),

		/** Works for the library. */
		LIBRARY(6);

		private final int deepest;

		Role(int deepest) {
			this.deepest = deepest;
		}

	}

	private record Event(long time, long number, Runnable action) {

	}

}
