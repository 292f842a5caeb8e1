// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A call for an ID whose caller does not wait. It proceeds in attempts, one after the
 * other, none of which waits. An attempt serves the call, lets it fail, or arranges for
 * the next attempt. There is a last one at the timeout.
 * <p>
 * Only the steps of the {@link AsyncExecutor} access the fields of this class and its
 * subclasses. The future itself is safe for any number of threads. It may be cancelled:
 * the call then takes no ID, unless it has been served at that moment.
 */
public abstract class AsyncCall extends CompletableFuture<Long> {

	private final AsyncExecutor executor;

	private final Duration timeout;

	// counts the attempts: a resumption that an earlier attempt has arranged has no
	// effect
	private long attempts;

	private Runnable cancelTimeout = () -> {
	};

	private Runnable cancelDelay = () -> {
	};

	private boolean expired;

	private boolean ended;

	/**
	 * Creates a call.
	 * @param executor runs its attempts and completes it
	 * @param timeout for how long it waits for an ID
	 */
	protected AsyncCall(AsyncExecutor executor, Duration timeout) {
		this.executor = executor;
		this.timeout = timeout;
	}

	/**
	 * Hands over the first attempt.
	 * @return this
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
	 * @throws RuntimeException if the call cannot be served: it fails with this exception
	 */
	protected abstract void attempt();

	/**
	 * Is called once, when this call has been served, has failed or was cancelled: it
	 * waits no longer.
	 */
	protected abstract void ended();

	/**
	 * Is called, by any thread, if this call was cancelled at the moment when it was
	 * served.
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
	 * Returns a task that makes the next attempt, to be run by the thread that ends the
	 * wait.
	 * @return a task that has an effect once, and only if there has been no other attempt
	 */
	protected final Runnable resumption() {
		long attempt = this.attempts;
		return () -> {
			try {
				this.executor.execute(() -> resume(attempt));
			}
			// The thread has other calls to continue. This one ends at its timeout.
			catch (Throwable ex) {
				// such as an OutOfMemoryError
			}
		};
	}

	/**
	 * Makes the next attempt later.
	 * @param delay after what time
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
		// such as an OutOfMemoryError: the call must end nevertheless
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
