// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The simulated time, which advances from event to event, and at no other point.
 * <p>
 * One thread plays all threads of all processes of a schedule. Code that blocks in
 * production (a call to a store, a write to a disk, a wait for an ID) processes the other
 * events itself: {@link #runWhile} takes events from the queue until the wait is over,
 * and then returns to the code that waits. So between a request and its answer, any event
 * may happen, even in the same process. Unlike on a real machine, if one wait begins
 * during another, the outer wait does not end before the inner wait. The answer to the
 * outer wait is then late, as on a slow network.
 */
public final class World {

	/**
	 * More events than any time with faults has. A few thousand are usual.
	 */
	private static final long MAX_EVENTS = 300_000;

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::time).thenComparingLong(Event::number));

	private final RandomSource random;

	private final Trace trace;

	private long now;

	private long number;

	private long processed;

	private int depth;

	private boolean draining;

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
	 * @param end when to stop waiting. The time at return may be later, because events
	 * may themselves wait
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
			if (++this.processed == MAX_EVENTS) {
				violated("the schedule does not end: " + next.action.getClass() + " " + next.time + " of "
						+ this.events.size() + " depth " + this.depth);
				this.events.clear();
			}
		}
		this.depth--;
	}

	/**
	 * Returns whether a thread may begin a task now. The number of tasks under way is
	 * limited, because the task that began first ends last. The limit is higher for
	 * threads that other threads wait for, so that they can begin when the waiting
	 * threads cannot.
	 */
	boolean hasRoomFor(Role role) {
		return this.depth <= ((this.draining && role.compareTo(Role.LIBRARY) < 0) ? 1 : role.maxDepth);
	}

	/**
	 * Lets the tasks under way end before callers begin new ones.
	 * @param drained the action after the tasks have ended
	 */
	void drain(Runnable drained) {
		this.draining = true;
		if (this.depth == 1) {
			drained.run();
		}
		else {
			in(TimeUnit.MILLISECONDS.toNanos(10), () -> drain(drained));
		}
	}

	/**
	 * Lets callers begin new tasks again.
	 */
	void resume() {
		this.draining = false;
		this.processed = 0;
	}

	private void run(Runnable action) {
		try {
			action.run();
		}
		catch (Process.Crash ex) {
			// ends the thread of a process that was killed
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
		 * Starts and stops a process. Waits for the library's threads, often for a long
		 * time.
		 */
		MAIN(2),

		/** Requests IDs. Waits for the library's threads. */
		CALLER(5),

		/** Works for the library. Waits for the threads of Leaf servers. */
		LIBRARY(6),

		/** Answers requests to a Leaf server. */
		SERVER(7);

		private final int maxDepth;

		Role(int maxDepth) {
			this.maxDepth = maxDepth;
		}

	}

	private record Event(long time, long number, Runnable action) {

	}

}
