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
 * The threads of a generator's calls whose callers do not wait. They are started when the
 * first such call has to wait.
 */
public final class AsyncThreads implements AsyncExecutor {

	// One thread runs all steps. A step is handed over through a queue without a lock,
	// followed by an unpark: the queues of the JDK's executors have a lock, and an event
	// loop would park if another thread held it.
	//
	// Steps and timers are never run by the threads that access the store, all of which
	// may wait for it for seconds: a call has to end at its timeout.
	//
	// Completions have threads of their own, since code of the application runs in them.
	// If it blocks all these threads, other calls complete later, but steps, timeouts and
	// fetches continue.
	//
	// Only the thread that holds 'running' takes steps from the queue and accesses the
	// timers. Until closing that is the thread of this executor. That thread reads
	// 'closed' before it empties the queue for the last time, and a thread that hands
	// over a step reads 'closed' after it has added the step. So one of the two runs the
	// step.

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
	 * @param name the name of its threads, to which a suffix is added
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
			// such as an OutOfMemoryError: the next step tries again
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
		// an interrupted thread would not park again
		Thread.interrupted();
	}

	private void runSteps() {
		while (this.running.compareAndSet(false, true)) {
			try {
				// closing resumes all calls before it sets 'closed'
				boolean closed = this.closed;
				for (Runnable step = this.steps.poll(); step != null; step = this.steps.poll()) {
					run(step);
					// there may always be another step
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
		// the thread is needed for other calls
		catch (Throwable ex) {
			try {
				logger.error("A step of a call failed", ex);
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
	 * @param nanos when it is due, in nanoseconds since this executor was created
	 * @param number distinguishes steps that are due at the same time
	 * @param step the step
	 */
	private record Timer(long nanos, long number, Runnable step) {

	}

}
