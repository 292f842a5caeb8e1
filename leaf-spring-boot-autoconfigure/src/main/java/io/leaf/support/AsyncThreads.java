// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads with which a generator serves calls whose callers do not wait. The first
 * thread is started when such a call cannot be served immediately, or when such a call
 * makes the generator request the next segment.
 */
public final class AsyncThreads implements AsyncExecutor {

	// One thread runs all steps. To hand over a step, a caller adds the step to a
	// lock-free queue and unparks the thread that runs steps. The JDK's executors are not
	// used, because their queues have locks, and an event loop would park while another
	// thread holds such a lock.
	//
	// The threads that access the store run neither steps nor timers, because all of
	// these threads may wait for the store for seconds, but a call has to end at its
	// timeout.
	//
	// Completions run code of the application, and therefore have threads of their own.
	// If this code blocks all of these threads, other calls complete later, but steps,
	// timeouts and fetches continue.
	//
	// Only the thread that has set 'running' takes steps from the queue and accesses the
	// timers. Until this executor is closed, only the executor's own thread sets
	// 'running'. No step is lost when the executor is closed, because the executor's own
	// thread reads 'closed' before it empties the queue for the last time, and a thread
	// that hands over a step reads 'closed' after it has added the step. So one of the
	// two threads, or another thread that is running steps, runs the step.

	private static final Logger logger = LoggerFactory.getLogger(AsyncThreads.class);

	private static final long COMPLETER_IDLE_SECONDS = 5;

	private final String name;

	private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

	private final NavigableSet<Timer> timers = new TreeSet<>(
			Comparator.comparingLong(Timer::nanos).thenComparingLong(Timer::number));

	private long timersAdded;

	private final AtomicBoolean running = new AtomicBoolean();

	private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

	private final Executor completers;

	private final long start = System.nanoTime();

	private volatile boolean closed;

	/**
	 * Creates an executor that has not started a thread yet.
	 * @param name the prefix of the names of its threads
	 */
	public AsyncThreads(String name) {
		this.name = name;
		int processors = Runtime.getRuntime().availableProcessors();
		AtomicInteger number = new AtomicInteger();
		ThreadPoolExecutor completers = new ThreadPoolExecutor(processors, processors, COMPLETER_IDLE_SECONDS,
				TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> new LibraryThread(task, name + "-completion-" + number.incrementAndGet()));
		completers.allowCoreThreadTimeOut(true);
		this.completers = completers;
	}

	@Override
	public void execute(Runnable step) {
		this.steps.add(step);
		if (this.closed) {
			runSteps();
		}
		else {
			Thread thread = this.thread.get();
			LockSupport.unpark((thread != null) ? thread : start());
		}
	}

	private @Nullable Thread start() {
		Thread thread = new LibraryThread(this::loop, this.name + "-steps");
		if (this.thread.compareAndSet(null, thread)) {
			try {
				thread.start();
			}
			// If the thread cannot be started, for example after an OutOfMemoryError, the
			// hand-over of the next step tries again to start it.
			catch (Throwable ex) {
				this.thread.set(null);
				throw ex;
			}
		}
		return this.thread.get();
	}

	private void loop() {
		boolean closed;
		do {
			closed = this.closed;
			runSteps();
			if (!closed) {
				park();
			}
		}
		while (!closed);
	}

	private void park() {
		if (this.timers.isEmpty()) {
			LockSupport.park(this);
		}
		else {
			LockSupport.parkNanos(this, this.timers.first().nanos - nanos());
		}
		// clears an interrupt, because an interrupted thread would not park again
		Thread.interrupted();
	}

	private void runSteps() {
		while (this.running.compareAndSet(false, true)) {
			try {
				// 'closed' is read before the queue is emptied. Before the generator
				// closes this executor, it resumes the calls in its latches and queues.
				// If 'closed' is true, the resumptions are therefore already in the
				// queue of steps, and run before the timers of the same calls.
				boolean closed = this.closed;
				for (Runnable step = this.steps.poll(); step != null; step = this.steps.poll()) {
					run(step);
					// due timers also run after each step, because the queue may never
					// become empty
					runTimers(false);
				}
				runTimers(closed);
			}
			finally {
				this.running.set(false);
			}
			if (this.steps.isEmpty()) {
				return;
			}
		}
	}

	private void runTimers(boolean all) {
		while (!this.timers.isEmpty() && (all || this.timers.first().nanos <= nanos())) {
			run(this.timers.pollFirst().step);
		}
	}

	private long nanos() {
		return System.nanoTime() - this.start;
	}

	private static void run(Runnable step) {
		try {
			step.run();
		}
		// the thread must not end, because it is needed for other calls
		catch (Throwable ex) {
			try {
				logger.error("A task of an asynchronous call failed", ex);
			}
			catch (Throwable notLogged) {
				// without memory, logging may fail as well
			}
		}
	}

	@Override
	public Runnable schedule(Runnable step, long nanos) {
		Timer timer = new Timer(nanos() + nanos, this.timersAdded++, step);
		this.timers.add(timer);
		return () -> this.timers.remove(timer);
	}

	@Override
	public void complete(Runnable completion) {
		this.completers.execute(completion);
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread.get());
	}

	/**
	 * A scheduled step.
	 *
	 * @param nanos when the step is due, in nanoseconds since this executor was created
	 * @param number distinguishes steps that are due at the same time
	 * @param step the step
	 */
	private record Timer(long nanos, long number, Runnable step) {

	}

}
