// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A call for an ID whose caller does not wait. The call is tried in attempts, one after
 * the other, and no attempt waits. Each attempt serves the call, lets it fail, or
 * arranges for the next attempt. If the call has not ended by then, the last attempt is
 * made at the timeout.
 * <p>
 * Only steps of the {@link AsyncExecutor} access the mutable fields of this class and its
 * subclasses. The future itself is safe for any number of threads. If it is cancelled,
 * the call takes no ID, unless the call is being served at that moment.
 */
public abstract class AsyncCall extends CompletableFuture<Long> {

	private final AsyncExecutor executor;

	private final Duration timeout;

	// The number of attempts so far. A resumption has an effect only if no other attempt
	// has followed the one that arranged it.
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
	 * @throws RuntimeException if the call cannot be served: the call fails with this
	 * exception
	 */
	protected abstract void attempt();

	/**
	 * Called once, when this call is served, fails or is found to be cancelled. The call
	 * must not wait for anything from then on.
	 */
	protected abstract void ended();

	/**
	 * Called by any thread if an ID was taken for this call but could not be delivered,
	 * because the call was cancelled in the meantime.
	 */
	protected abstract void undelivered();

	/**
	 * Returns whether this attempt is the last one.
	 * @return whether the timeout is over
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
	 * Returns a task that makes the executor run the next attempt. The thread that ends
	 * the wait runs the task.
	 * @return a task that has an effect only the first time, and only if no other attempt
	 * has been made since
	 */
	protected final Runnable resumption() {
		long attempt = this.attempts;
		return () -> {
			try {
				this.executor.execute(() -> resume(attempt));
			}
			// The thread may have to resume other calls. This call ends at its timeout.
			catch (Throwable ex) {
				// such as an OutOfMemoryError
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
		// even after an OutOfMemoryError, for example, the call must end
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
