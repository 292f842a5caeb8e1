// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.util.Comparator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

import io.leaf.support.AsyncExecutor;

/**
 * Runs steps when a test calls {@link #run()}, on a manual clock.
 */
public final class ManualAsyncExecutor implements AsyncExecutor {

	private final LongSupplier nanoTime;

	private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

	private final Queue<Timer> timers = new ConcurrentLinkedQueue<>();

	/**
	 * If not {@code null}, receives the completions. Otherwise, they run immediately.
	 */
	public Queue<Runnable> heldCompletions;

	private boolean closed;

	public ManualAsyncExecutor(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Runs the steps, and the timers that are due.
	 * @return whether there were any
	 */
	public boolean run() {
		boolean any = false;
		for (Optional<Runnable> next = next(); next.isPresent(); next = next()) {
			next.get().run();
			any = true;
		}
		return any;
	}

	private Optional<Runnable> next() {
		Runnable step = this.steps.poll();
		if (step != null) {
			return Optional.of(step);
		}
		Optional<Timer> timer = this.timers.stream()
			.filter((each) -> this.closed || each.time <= this.nanoTime.getAsLong())
			.min(Comparator.comparingLong(Timer::time));
		timer.ifPresent(this.timers::remove);
		return timer.map(Timer::step);
	}

	/**
	 * Returns how many steps have been handed over but not run.
	 */
	public int handedOver() {
		return this.steps.size();
	}

	/**
	 * Returns how many timers have been neither run nor cancelled.
	 */
	public int scheduled() {
		return this.timers.size();
	}

	@Override
	public void execute(Runnable step) {
		this.steps.add(step);
		if (this.closed) {
			run();
		}
	}

	@Override
	public Runnable schedule(Runnable step, long nanos) {
		Timer timer = new Timer(this.nanoTime.getAsLong() + nanos, step);
		this.timers.add(timer);
		return () -> this.timers.remove(timer);
	}

	@Override
	public void complete(Runnable completion) {
		if (this.heldCompletions != null) {
			this.heldCompletions.add(completion);
		}
		else {
			completion.run();
		}
	}

	@Override
	public void close() {
		this.closed = true;
		run();
	}

	private record Timer(long time, Runnable step) {

	}

}
