// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Time that advances from event to event, and at no other point.
 * <p>
 * All threads of all processes of a schedule are played by one thread. Code that blocks
 * in production (a call to a store, a write to a disk, a wait for an ID) processes the
 * other events from within: {@link #runWhile} takes them from the queue until the wait is
 * over, and then returns to the code that waits. So between a request and its answer any
 * event may happen, also to the same process. Unlike on a real machine, if one wait has
 * begun during another, the outer wait does not end before the inner one. Its answer is
 * then late, as on a slow network.
 */
public final class World {

	/**
	 * More events than there are until callers calm down: a few thousand are usual.
	 */
	private static final long RUNAWAY = 300_000;

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::time).thenComparingLong(Event::number));

	private final RandomSource random;

	private final Trace trace;

	private long now;

	private long number;

	private long happened;

	private int depth;

	private boolean calm;

	private @Nullable String violation;

	World(long seed, Trace trace) {
		this.random = new RandomSource(seed);
		this.trace = trace;
	}

	RandomSource random() {
		return this.random;
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
	 * Schedules an event.
	 * @param delay the delay in nanoseconds
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
	 * Processes events as long as a condition holds.
	 * @param waiting the condition
	 * @param end when to stop waiting. On return it may be later than this: the events
	 * may have waited themselves
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
	 * Returns whether a thread may begin a task now. The number of tasks under way is
	 * limited, because the first of them ends last; and threads that others wait for must
	 * be able to begin when the waiting ones cannot.
	 */
	boolean hasRoomFor(Role role) {
		return this.depth <= ((this.calm && role.compareTo(Role.LIBRARY) < 0) ? 1 : role.deepest);
	}

	/**
	 * Lets the tasks under way end before callers begin new ones.
	 * @param settled the action after that
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

	/**
	 * Lets callers begin new tasks again.
	 */
	void goOn() {
		this.calm = false;
		this.happened = 0;
	}

	private void run(Runnable action) {
		try {
			action.run();
		}
		catch (Process.Crash ex) {
			// a thread of a process that was killed
		}
		catch (RuntimeException | Error ex) {
			violated("unexpected: " + ex + " at " + Arrays.toString(ex.getStackTrace()));
		}
	}

	/**
	 * Records that a guarantee has been violated. Nothing is thrown, because the code
	 * under test would catch it.
	 */
	void violated(String what) {
		if (this.violation == null) {
			this.violation = what;
			this.trace.line(this, "", "VIOLATED: " + what);
		}
	}

	/**
	 * Returns the first violation, or {@code null}.
	 */
	@Nullable String violation() {
		return this.violation;
	}

	/**
	 * The work of a simulated thread.
	 */
	enum Role {

		/**
		 * Starts and stops a process. Waits for the library's threads, and for a long
		 * time.
		 */
		MAIN(2),

		/** Requests IDs. Waits for the library's threads. */
		CALLER(5),

		/** Works for the library. Waits for the threads of Leaf servers. */
		LIBRARY(6),

		/** Answers requests to a Leaf server. */
		SERVER(7);

		private final int deepest;

		Role(int deepest) {
			this.deepest = deepest;
		}

	}

	private record Event(long time, long number, Runnable action) {

	}

}
