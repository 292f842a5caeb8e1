// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An executor with a clock that only a test moves: tasks run on the thread that calls
 * {@link #run()} or {@link #advance(Duration)}, in the order of their times.
 */
public class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {

	private final ReentrantLock lock = new ReentrantLock();

	private final PriorityQueue<Task<?>> tasks = new PriorityQueue<>(
			Comparator.<Task<?>>comparingLong((task) -> task.time).thenComparingLong((task) -> task.number));

	private long now;

	private long number;

	private boolean shutdown;

	/**
	 * If not {@code null}, thrown when a repeated task is scheduled.
	 */
	public Error repeatFails;

	public long nanoTime() {
		this.lock.lock();
		try {
			return this.now;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Runs the tasks that are due, and those that become due through them.
	 */
	public void run() {
		advance(Duration.ZERO);
	}

	/**
	 * Moves the clock, and runs each task that becomes due, at its time.
	 */
	public void advance(Duration duration) {
		long end = nanoTime() + duration.toNanos();
		Task<?> task;
		while ((task = next(end)) != null) {
			task.run();
		}
	}

	/**
	 * Moves the clock and runs nothing, as if the threads were blocked.
	 */
	public void tick(Duration duration) {
		this.lock.lock();
		try {
			this.now += duration.toNanos();
		}
		finally {
			this.lock.unlock();
		}
	}

	private Task<?> next(long end) {
		this.lock.lock();
		try {
			Task<?> task = this.tasks.peek();
			if (task == null || task.time > end) {
				this.now = end;
				return null;
			}
			this.now = Math.max(this.now, task.time);
			return this.tasks.remove();
		}
		finally {
			this.lock.unlock();
		}
	}

	public int pending() {
		this.lock.lock();
		try {
			return this.tasks.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	private <V> Task<V> add(Callable<V> work, long delay, long period) {
		this.lock.lock();
		try {
			if (this.shutdown) {
				throw new RejectedExecutionException("shut down");
			}
			Task<V> task = new Task<>(work, this.now + delay, period, this.number++);
			this.tasks.add(task);
			return task;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void execute(Runnable command) {
		schedule(command, 0, TimeUnit.NANOSECONDS);
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
		return schedule(() -> {
			command.run();
			return null;
		}, delay, unit);
	}

	@Override
	public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
		return add(callable, unit.toNanos(delay), 0);
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
		return scheduleWithFixedDelay(command, initialDelay, period, unit);
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
		if (this.repeatFails != null) {
			throw this.repeatFails;
		}
		return add(() -> {
			command.run();
			return null;
		}, unit.toNanos(initialDelay), unit.toNanos(delay));
	}

	@Override
	public void shutdown() {
		shutdownNow();
	}

	@Override
	public List<Runnable> shutdownNow() {
		this.lock.lock();
		try {
			this.shutdown = true;
			List<Runnable> left = new ArrayList<>(this.tasks);
			this.tasks.clear();
			return left;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isShutdown() {
		return this.shutdown;
	}

	@Override
	public boolean isTerminated() {
		return this.shutdown;
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
		return this.shutdown;
	}

	private final class Task<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {

		private final long period;

		private final long number;

		private long time;

		Task(Callable<V> work, long time, long period, long number) {
			super(work);
			this.time = time;
			this.period = period;
			this.number = number;
		}

		@Override
		public void run() {
			if (!isPeriodic()) {
				super.run();
			}
			else if (runAndReset()) {
				ManualScheduler.this.lock.lock();
				try {
					this.time = ManualScheduler.this.now + this.period;
					ManualScheduler.this.tasks.add(this);
				}
				finally {
					ManualScheduler.this.lock.unlock();
				}
			}
		}

		@Override
		public boolean isPeriodic() {
			return this.period > 0;
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return unit.convert(this.time - nanoTime(), TimeUnit.NANOSECONDS);
		}

		@Override
		public int compareTo(Delayed other) {
			return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
		}

		@Override
		public boolean equals(Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this);
		}

	}

}
