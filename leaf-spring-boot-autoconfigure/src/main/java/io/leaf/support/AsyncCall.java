// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An asynchronous call for an ID: the calling thread does not wait. The executor makes
 * one or more attempts to serve the call, and no attempt waits. Each attempt serves the
 * call, makes the call fail, or arranges for the next attempt. If the call has not ended
 * before its timeout, the last attempt is made at the timeout.
 * <p>
 * Only steps of the {@link AsyncExecutor} access the mutable fields of this class and its
 * subclasses. The future itself is thread-safe. A cancelled call takes no ID, unless the
 * call is being served at the moment of the cancellation.
 */
public abstract class AsyncCall extends CompletableFuture<Long> {

	private final AsyncExecutor executor;

	private final Duration timeout;

	// The number of attempts so far. If one attempt arranges for the next, but another
	// attempt is made first, for example at the timeout, the arranged attempt is not
	// made.
	private long attempts;

	private Runnable cancelTimeout = () -> {
	};

	private Runnable cancelDelay = () -> {
	};

	private boolean expired;

	private boolean ended;

	/**
	 * Creates a call.
	 * @param executor runs the attempts of the call and completes the call
	 * @param timeout how long the call waits for an ID
	 */
	protected AsyncCall(AsyncExecutor executor, Duration timeout) {
		this.executor = executor;
		this.timeout = timeout;
	}

	/**
	 * Hands the first attempt over to the executor.
	 * @return this call
	 */
	public final CompletionStage<Long> begin() {
		this.executor.execute(this::proceed);
		return this;
	}

	private void expire() {
		this.expired = true;
		proceed();
	}

	private void proceed() {
		if (this.ended) {
			return;
		}
		if (isDone()) {
			finish();
			return;
		}
		try {
			if (this.attempts++ == 0) {
				this.cancelTimeout = this.executor.schedule(this::expire, this.timeout.toNanos());
			}
			attempt();
		}
		catch (Throwable ex) {
			finish(() -> super.completeExceptionally(ex));
		}
	}

	/**
	 * Serves this call, or arranges for the next attempt.
	 * @throws RuntimeException if the call cannot be served. The call fails with this
	 * exception
	 */
	protected abstract void attempt();

	/**
	 * Called once, when this call is served, fails or is found to be cancelled.
	 * Implementations remove this call from the queues and latches in which it waits.
	 */
	protected abstract void ended();

	/**
	 * Called by any thread if an ID was taken for this call but could not be delivered,
	 * because the call was cancelled in the meantime.
	 */
	protected abstract void undelivered();

	/**
	 * Returns whether this attempt is the last one.
	 * @return whether the timeout has elapsed, or closing the executor has brought the
	 * last attempt forward
	 */
	protected final boolean isExpired() {
		return this.expired;
	}

	/**
	 * Serves this call.
	 * @param id the ID
	 */
	protected final void serve(long id) {
		finish(() -> {
			if (!super.complete(id)) {
				undelivered();
			}
		});
	}

	/**
	 * Returns a task that makes the executor run the next attempt. If this call has to
	 * wait, {@link #attempt} registers the task, for example with a latch, and the thread
	 * that ends the wait runs the task.
	 * @return a task that has an effect only the first time that it runs, and only if no
	 * other attempt has been made in the meantime
	 */
	protected final Runnable resumption() {
		long attempt = this.attempts;
		return () -> {
			try {
				this.executor.execute(() -> resume(attempt));
			}
			catch (Throwable ex) {
				// An error such as an OutOfMemoryError is ignored, because the thread may
				// have to resume other calls. This call then ends at its timeout.
			}
		};
	}

	/**
	 * Makes the next attempt after a delay.
	 * @param delay the delay
	 */
	protected final void resumeAfter(Duration delay) {
		long attempt = this.attempts;
		this.cancelDelay = this.executor.schedule(() -> resume(attempt), delay.toNanos());
	}

	private void resume(long attempt) {
		if (attempt == this.attempts) {
			proceed();
		}
	}

	private void finish() {
		this.ended = true;
		this.cancelTimeout.run();
		this.cancelDelay.run();
		ended();
	}

	private void finish(Runnable completion) {
		try {
			finish();
		}
		finally {
			complete(completion);
		}
	}

	private void complete(Runnable completion) {
		try {
			this.executor.complete(completion);
		}
		// The call must end even if the executor fails, for example with an
		// OutOfMemoryError.
		catch (Throwable ex) {
			completion.run();
		}
	}

	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		boolean cancelled = super.cancel(mayInterruptIfRunning);
		if (cancelled) {
			this.executor.execute(this::proceed);
		}
		return cancelled;
	}

	@Override
	public boolean completeExceptionally(Throwable ex) {
		boolean completed = super.completeExceptionally(ex);
		if (completed) {
			this.executor.execute(this::proceed);
		}
		return completed;
	}

}
