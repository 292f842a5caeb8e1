// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An executor with simulated threads of a process. After shutdown, the threads finish
 * their current tasks and begin no others, like those of the library's own executors.
 */
class SimulatedExecutor extends AbstractExecutorService implements ScheduledExecutorService {

	/**
	 * The longest time until a thread with a task gets a core, in nanoseconds.
	 */
	private static final long SCHEDULING = 200_000;

	private static final long CORES_BUSY = 10_000_000;

	private final Process process;

	private final World.Role role;

	private final int threads;

	private final Queue<Task<?>> ready = new ArrayDeque<>();

	private int busy;

	private boolean shutdown;

	SimulatedExecutor(Process process, World.Role role, int threads) {
		this.process = process;
		this.role = role;
		this.threads = threads;
	}

	/**
	 * Returns whether no thread is running a task.
	 */
	boolean isIdle() {
		return this.busy == 0;
	}

	private void offer(Task<?> task) {
		if (!this.shutdown) {
			this.ready.add(task);
			wakeThread();
		}
	}

	private void wakeThread() {
		this.process.world().in(this.process.world().random().upTo(SCHEDULING), this::step);
	}

	private void step() {
		if (!this.process.isAlive() || this.busy == this.threads) {
			return;
		}
		if (this.process.isPaused()) {
			this.process.world().in(this.process.pausedUntil() - this.process.world().now(), this::step);
			return;
		}
		if (!this.process.world().hasRoomFor(this.role)) {
			this.process.world().in(CORES_BUSY, this::step);
			return;
		}
		Task<?> task = this.ready.poll();
		if (task == null) {
			return;
		}
		this.busy++;
		try {
			task.run();
		}
		finally {
			this.busy--;
		}
		if (!this.ready.isEmpty()) {
			wakeThread();
		}
	}

	private <V> Task<V> start(Callable<V> work, long delay, long period) {
		if (this.shutdown || !this.process.isAlive()) {
			throw new RejectedExecutionException("shut down");
		}
		Task<V> task = new Task<>(work, period);
		startIn(task, delay);
		return task;
	}

	private void startIn(Task<?> task, long delay) {
		if (delay <= 0) {
			offer(task);
		}
		else {
			this.process.world().in(this.process.trueTime(delay), () -> offer(task));
		}
	}

	@Override
	public void execute(Runnable command) {
		start(Executors.callable(command), 0, 0);
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
		return start(Executors.callable(command), unit.toNanos(delay), 0);
	}

	@Override
	public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
		return start(callable, unit.toNanos(delay), 0);
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
		throw new UnsupportedOperationException("The library does not use this method");
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
		return start(Executors.callable(command), unit.toNanos(initialDelay), unit.toNanos(delay));
	}

	@Override
	public void shutdown() {
		this.shutdown = true;
		this.ready.clear();
	}

	@Override
	public List<Runnable> shutdownNow() {
		shutdown();
		return List.of();
	}

	@Override
	public boolean isShutdown() {
		return this.shutdown;
	}

	@Override
	public boolean isTerminated() {
		return this.shutdown && isIdle();
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) {
		return this.process.await(this::isIdle, unit.toNanos(timeout));
	}

	private final class Task<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {

		private final long period;

		Task(Callable<V> work, long period) {
			super(work);
			this.period = period;
		}

		@Override
		public void run() {
			if (!isPeriodic()) {
				super.run();
			}
			else if (runAndReset() && !SimulatedExecutor.this.shutdown) {
				startIn(this, this.period);
			}
		}

		@Override
		public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
			if (!SimulatedExecutor.this.process.await(this::isDone, unit.toNanos(timeout))) {
				throw new TimeoutException();
			}
			return super.get();
		}

		@Override
		public boolean isPeriodic() {
			return this.period > 0;
		}

		@Override
		public long getDelay(TimeUnit unit) {
			throw new UnsupportedOperationException("The library does not use this method");
		}

		@Override
		public int compareTo(Delayed other) {
			throw new UnsupportedOperationException("The library does not use this method");
		}

	}

}
