// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.support.FailureText;
import org.jspecify.annotations.Nullable;

/**
 * The sequence of a key whose row this process has read. It records whether the row was
 * removed and whether the generator is closed.
 */
abstract class KeySequence implements IdSequence {

	/**
	 * The result of {@link #tryNext} and {@link #attempt} if there is no number.
	 */
	static final long NONE = -1;

	private enum State {

		ISSUING, ROW_REMOVED, CLOSED

	}

	private final String key;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final KeyAllocator allocator;

	private final KeyDirectory directory;

	private final LongAdder waits = new LongAdder();

	private final LongAdder waitedNanos = new LongAdder();

	private volatile boolean requested;

	private final AtomicReference<State> state = new AtomicReference<>(State.ISSUING);

	/**
	 * Creates a sequence that has not allocated anything yet.
	 * @param directory looks the row up again if an ID is requested after the row has
	 * been removed
	 */
	KeySequence(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			KeyDirectory directory) {
		this.key = key;
		this.settings = settings;
		this.environment = environment;
		this.allocator = new KeyAllocator(key, settings, store, environment);
		this.directory = directory;
	}

	/**
	 * Creates a sequence with the ordering that the settings specify for the key.
	 */
	static KeySequence create(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			KeyDirectory directory) {
		return switch (settings.ordering(key)) {
			case STRICT -> (settings.key(key).period() != null)
					? new PeriodicSequence(key, store, settings, environment, directory)
					: new SegmentSequence(key, store, settings, environment, directory);
			case STRIPED -> new StripedSequence(key, store, settings, environment, directory);
			case GLOBAL -> new GlobalSequence(key, store, settings, environment, directory);
		};
	}

	@Override
	public final String key() {
		return this.key;
	}

	final KeyAllocator allocator() {
		return this.allocator;
	}

	final SegmentEnvironment environment() {
		return this.environment;
	}

	final long waits() {
		return this.waits.sum();
	}

	final Duration waited() {
		return Duration.ofNanos(this.waitedNanos.sum());
	}

	@Override
	public final CompletionStage<Long> nextIdAsync() {
		long id = tryNext();
		return (id != NONE) ? CompletableFuture.completedFuture(id)
				: new KeyCall(this.key, this.directory, this.environment, this.settings).begin();
	}

	/**
	 * Issues a number from memory. Never parks, and takes no lock.
	 * @return the number, or {@link #NONE} if no number can be issued from memory
	 */
	abstract long tryNext();

	/**
	 * Takes consecutive numbers out of memory. Never waits for the store.
	 * @param size how many numbers
	 * @param floor the smallest number that may be taken
	 * @return the numbers, or {@code null} if no segment in memory has {@code size}
	 * numbers left, if the next number lies below the floor, or if this sequence is
	 * closed. The default implementation always returns {@code null}
	 */
	@Nullable Allocation takeRange(long size, long floor) {
		return null;
	}

	/**
	 * Makes an attempt to serve a call whose caller does not wait. Called by
	 * {@link KeyCall#attempt()}.
	 * @param waiting records the waits of the call for numbers of this sequence
	 * @return a number, or {@link #NONE} if the call has not been served. In that case,
	 * either this method has called {@link KeyCall#await}, or the next attempt must
	 * follow immediately
	 * @throws SegmentUnavailableException if the call cannot be served, or has expired
	 */
	abstract long attempt(KeyCall call, Waiting waiting);

	/**
	 * Records that a number was issued to a call that was cancelled at the same moment,
	 * so that no caller has received the number.
	 */
	abstract void undelivered();

	/**
	 * Checks that IDs of the key may be issued. If the row of the key was removed, looks
	 * it up again and waits for the result.
	 * @throws SegmentUnavailableException if this sequence is closed, or if the store
	 * fails or does not answer in time
	 * @throws io.leaf.UnknownKeyException if the row of the key was removed and is still
	 * missing
	 */
	final void checkState() {
		requireNotClosed();
		if (isRemoved()) {
			this.directory.lookUps().lookUp(this.key);
		}
	}

	/**
	 * Checks that this sequence is not closed.
	 * @throws SegmentUnavailableException if this sequence is closed
	 */
	final void requireNotClosed() {
		if (this.state.get() == State.CLOSED) {
			throw unavailable("the generator is closed, the application is shutting down", null);
		}
	}

	private SegmentUnavailableException unavailable(@Nullable String reason, @Nullable Throwable cause) {
		return new SegmentUnavailableException(this.key, "No ID for key '%s': %s".formatted(this.key, reason), cause);
	}

	/**
	 * Records that there is a row for this key.
	 */
	final void rowSeen(SegmentRow row) {
		this.allocator.rowStepSeen(row.step());
		if (this.state.compareAndSet(State.ROW_REMOVED, State.ISSUING)) {
			this.directory.rowsRemoved(-1);
		}
	}

	/**
	 * Stops this sequence after the row of its key has been removed. The sequence
	 * remembers the end of the numbers that it has been allocated, so that it does not
	 * issue the same numbers again if the row is added again.
	 */
	final void rowRemoved() {
		if (this.state.compareAndSet(State.ISSUING, State.ROW_REMOVED)) {
			this.directory.rowsRemoved(1);
		}
		fence();
	}

	/**
	 * Records that numbers of this key are requested from the store. Must be called
	 * before the request, so that {@link KeyDirectory#used()} includes every key for
	 * which numbers have been requested.
	 */
	final void requested() {
		if (!this.requested) {
			this.directory.requested(this);
			this.requested = true;
		}
	}

	final boolean isRequested() {
		return this.requested;
	}

	final boolean isRemoved() {
		return this.state.get() == State.ROW_REMOVED;
	}

	final boolean isIssuing() {
		return this.state.get() == State.ISSUING;
	}

	/**
	 * Closes this sequence permanently: from now on, no fetch begins and no caller waits.
	 * Until {@link #fence()} is called, numbers are still issued from memory, but not
	 * from the next segment.
	 */
	final void close() {
		this.state.set(State.CLOSED);
		this.allocator.close();
		endWaiting();
	}

	/**
	 * Wakes the waiting callers, which then check the state of this sequence again.
	 */
	abstract void endWaiting();

	/**
	 * Fetches numbers before the first call, unless the ordering keeps no numbers in
	 * memory.
	 */
	abstract void preload();

	/**
	 * Stops issuing, and takes the unissued numbers out of memory.
	 * @return the contiguous unissued numbers directly below the end of the last segment,
	 * or {@code null} if no such number is left
	 */
	abstract @Nullable Unissued fence();

	/**
	 * Records that the store has taken back the numbers that the last call of
	 * {@link #fence()} returned.
	 */
	abstract void givenBack(Unissued numbers);

	abstract SegmentStatus status();

	/**
	 * The waits of one call. A call that waits several times is counted once. All of its
	 * waits end within one acquire timeout, which starts when this object is created.
	 */
	final class Waiting {

		private final long start = KeySequence.this.environment.nanoTime().getAsLong();

		private boolean counted;

		/**
		 * Waits until a latch is open, or until the acquire timeout has elapsed.
		 * @param end the latch
		 * @return why the latch is not open, or {@code null} if it is open
		 */
		@Nullable Exception await(CountDownLatch end) {
			long now = begin();
			Duration timeout = KeySequence.this.settings.acquireTimeout();
			Exception unanswered = KeySequence.this.environment.await(end, timeout.toNanos() - (now - this.start),
					timeout);
			end(now);
			return unanswered;
		}

		/**
		 * Begins a wait.
		 * @return the time on the monotonic clock, to be passed to {@link #end}
		 */
		long begin() {
			count();
			return KeySequence.this.environment.nanoTime().getAsLong();
		}

		/**
		 * Ends a wait.
		 * @param begin the result of {@link #begin()}
		 */
		void end(long begin) {
			KeySequence.this.waitedNanos.add(KeySequence.this.environment.nanoTime().getAsLong() - begin);
		}

		void count() {
			if (!this.counted) {
				this.counted = true;
				KeySequence.this.waits.increment();
			}
		}

		/**
		 * Returns the exception for a call that gets no number.
		 * @param unanswered why the call stopped waiting for the store, or {@code null}
		 * if the store refused the request
		 * @param failure the failure of the last attempt to get numbers, or {@code null}
		 * if that attempt did not fail
		 */
		SegmentUnavailableException unavailable(@Nullable Exception unanswered, @Nullable Throwable failure) {
			Throwable cause = (unanswered instanceof InterruptedException) ? unanswered : failure;
			Throwable reason = (cause != null) ? cause : unanswered;
			return KeySequence.this.unavailable(FailureText.of(Objects.requireNonNull(reason)), cause);
		}

	}

}
