// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Numbers;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.segment.SegmentStore.Allocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the segments of one key, one at a time, and adapts their size.
 */
final class SegmentFetcher {

	// States: idle (inFlight is null), or one fetch in flight, which is either running an
	// attempt or waiting for its next attempt.
	//
	// idle -> in flight: request(), usually called by a caller that drew the number at a
	// mark or found no number left. The compare-and-exchange on inFlight succeeds for one
	// caller, and this caller hands the first attempt over to the library's threads. If
	// another caller finds a fetch in flight whose first attempt has not been handed over
	// yet, the other caller also hands this attempt over, because the first caller may be
	// suspended or may have ended with an Error. However often an attempt is handed over,
	// it begins only once.
	//
	// in flight -> idle: a successful attempt. In this order, the attempt publishes the
	// new segment as the successor of the last segment, clears inFlight, wakes the
	// waiting callers, and checks whether the number at the mark of the new segment has
	// already been drawn. If a caller drew this number before inFlight was cleared, the
	// caller's request() found the old fetch in flight and started no new one, so the
	// attempt starts the next fetch. If a caller draws this number later, the caller's
	// request() starts the next fetch. So no fetch is forgotten. The fetch also ends if
	// the key has no row, if the generator is closed, or if an attempt cannot be started.
	//
	// After a failed attempt, the fetch stays in flight and the next attempt is
	// scheduled. After a refusal (see SegmentStoreException), a new Fetch takes the place
	// of the refused Fetch, which ends and thereby wakes the waiting callers.
	//
	// Only attempts access the fields that are neither volatile nor final. Each attempt
	// sees what the attempt before it has written, because inFlight or the executor is
	// accessed in between.

	private static final Logger logger = LoggerFactory.getLogger(SegmentFetcher.class);

	private final KeyAllocator allocator;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final Runnable rowMissing;

	private final AtomicReference<@Nullable Fetch> inFlight = new AtomicReference<>();

	private volatile long step;

	private long adaptedRowStep;

	private long lastArrivalNanos;

	private long drawnAtLastArrival;

	private long numbersFetched;

	SegmentFetcher(KeyAllocator allocator, SegmentSettings settings, SegmentEnvironment environment,
			Runnable rowMissing) {
		this.allocator = allocator;
		this.settings = settings;
		this.environment = environment;
		this.rowMissing = rowMissing;
	}

	/**
	 * Starts to fetch the successor of a segment, unless a fetch is in flight already.
	 * @param tail the segment, which had no successor when the caller looked for one
	 * @param wanted how many numbers the caller waits for, or 0 if the caller does not
	 * wait
	 * @return the fetch in flight
	 */
	Fetch request(Segment tail, long wanted) {
		Fetch fetch = new Fetch(tail, wanted, this.environment.nanoTime().getAsLong(), 0);
		Fetch other = this.inFlight.compareAndExchange(null, fetch);
		if (other != null) {
			other.wanted.accumulateAndGet(wanted, Math::max);
			fetch = other;
			// if the last attempt was refused because its period had no number left, and
			// that period has ended since, callers wait for the next attempt instead of
			// failing at once
			if (Fetch.isRefusal(other.lastFailure) && this.allocator.isRefusalOver()) {
				other.lastFailure = null;
			}
		}
		// this check must follow the compare-and-exchange on inFlight.
		// KeySequence.close() closes the allocator before it calls endWaiting(), which
		// looks for a fetch. So either this check or endWaiting() ends the wait for the
		// fetch
		if (this.allocator.isClosed()) {
			fetch.countDown();
		}
		else if (!fetch.handedOver) {
			handOver(fetch);
		}
		return fetch;
	}

	private void handOver(Fetch fetch) {
		try {
			this.environment.executor().execute(() -> attempt(fetch, 0));
			fetch.handedOver = true;
		}
		catch (RejectedExecutionException ex) {
			// the generator is closed
			fetch.countDown();
		}
	}

	/**
	 * Wakes the waiting callers. To be called after the allocator has been closed.
	 */
	void endWaiting() {
		Fetch fetch = this.inFlight.get();
		if (fetch != null) {
			fetch.countDown();
		}
	}

	private void attempt(Fetch fetch, int number) {
		try {
			this.allocator.run(() -> attemptOnce(fetch, number));
		}
		catch (Throwable ex) {
			abandon(fetch, number, ex);
		}
	}

	private void attemptOnce(Fetch fetch, int number) {
		if (!fetch.begin(number)) {
			return;
		}
		if (this.allocator.isClosed()) {
			end(fetch);
			return;
		}
		if (fetch.tail.successor() != null) {
			// the successor arrived after the caller of request() had looked for it, but
			// before request() set inFlight
			finish(fetch);
			return;
		}
		Segment successor;
		try {
			if (fetch.failures == 0) {
				adaptStep(fetch.tail);
			}
			Allocation allocation = this.allocator.allocate(Math.max(this.step, fetch.wanted.get()));
			successor = (allocation != null) ? arrived(allocation, fetch.tail) : null;
		}
		// an Error is also followed by a retry, because the fetch would otherwise stay in
		// flight forever and block all further fetches of the key
		catch (Throwable ex) {
			retry(fetch, ex);
			return;
		}
		if (successor == null) {
			try {
				this.rowMissing.run();
			}
			finally {
				end(fetch);
			}
			return;
		}
		fetch.tail.setSuccessor(successor);
		finish(fetch);
		// logged only after the segment is published, because until then, calls may still
		// fail with the last failure
		if (fetch.failures > 0) {
			logger.info("Key '{}' has a new segment after {} failed attempts", this.allocator.key(), fetch.failures);
		}
	}

	private void adaptStep(Segment tail) {
		long rowStep = Math.max(1, this.allocator.rowStep());
		if (rowStep != this.adaptedRowStep) {
			this.adaptedRowStep = rowStep;
			this.step = rowStep;
		}
		else if (this.allocator.allocations() > 0) {
			Duration elapsed = Duration.ofNanos(this.environment.nanoTime().getAsLong() - this.lastArrivalNanos);
			StepPolicy policy = new StepPolicy(this.settings.targetDuration(), this.settings.maxStep());
			this.step = policy.next(this.step, tail.drawn() - this.drawnAtLastArrival, elapsed, rowStep);
		}
	}

	private Segment arrived(Allocation allocation, Segment tail) {
		this.lastArrivalNanos = this.environment.nanoTime().getAsLong();
		this.drawnAtLastArrival = tail.drawn();
		Segment segment = new Segment(allocation.from(), allocation.to(), this.settings.prefetchAt(),
				this.numbersFetched);
		this.numbersFetched += allocation.to() - allocation.from();
		return segment;
	}

	private void end(Fetch fetch) {
		this.inFlight.set(null);
		fetch.countDown();
	}

	private void finish(Fetch fetch) {
		end(fetch);
		Segment last = fetch.tail;
		for (Segment next = last.successor(); next != null; next = last.successor()) {
			last = next;
		}
		if (last.isMarkPassed()) {
			request(last, 0);
		}
	}

	private void retry(Fetch fetch, Throwable failure) {
		fetch.lastFailure = failure;
		int attempts = ++fetch.failures;
		Fetch next = fetch;
		try {
			String error = this.allocator.failed(failure);
			if (Fetch.isRefusal(failure)) {
				next = fetch.takeOver();
				this.inFlight.set(next);
				fetch.countDown();
			}
			Fetch retried = next;
			this.environment.executor()
				.schedule(() -> attempt(retried, attempts), this.environment.backoff(attempts).toNanos(),
						TimeUnit.NANOSECONDS);
			if (attempts == 1) {
				logger.warn("Cannot fetch a segment for key '{}': {}. Retrying until an attempt succeeds",
						this.allocator.key(), error);
			}
			logger.debug("Attempt {} to fetch a segment for key '{}' failed", attempts, this.allocator.key(), failure);
		}
		catch (Throwable ex) {
			abandon(next, attempts, ex);
		}
	}

	// Ends a fetch whose next attempt could not be started because the generator is
	// closed or memory is exhausted. The next caller then requests a new fetch.
	private void abandon(Fetch fetch, int number, Throwable reason) {
		if (fetch.begin(number)) {
			end(fetch);
		}
		this.allocator.abandoned(reason);
	}

	/**
	 * Returns the status of the key.
	 * @param current the segment that numbers are issued from, or {@code null}
	 * @param next the segment after the current one, or {@code null}
	 * @param waits how many calls had to wait
	 * @param waited how long calls have waited in total
	 * @param numbers how many of the fetched numbers were issued, how many were given
	 * back, and how many were lost
	 */
	SegmentStatus status(@Nullable Current current, @Nullable Range next, long waits, Duration waited,
			Numbers numbers) {
		Fetch fetch = this.inFlight.get();
		long awaited = (fetch != null && fetch.wanted.get() > 0) ? this.environment.nanoTime().getAsLong() - fetch.since
				: 0;
		return this.allocator.status(current, next, this.step, (fetch != null) ? fetch.failures : 0, waits, waited,
				Duration.ofNanos(awaited), numbers);
	}

	/**
	 * The fetch of the successor of one segment, with all attempts until one succeeds or
	 * is refused. Callers that find no number left wait until the fetch ends, and then
	 * look for the successor themselves.
	 */
	static final class Fetch extends Latch {

		private final Segment tail;

		private final long since;

		private final AtomicLong wanted;

		private final AtomicInteger begun;

		private volatile boolean handedOver;

		private volatile int failures;

		private volatile @Nullable Throwable lastFailure;

		private Fetch(Segment tail, long wanted, long since, int begun) {
			this.tail = tail;
			this.since = since;
			this.wanted = new AtomicLong(wanted);
			this.begun = new AtomicInteger(begun);
		}

		/**
		 * Returns a new fetch, which makes the further attempts after this fetch has been
		 * refused. This fetch can then be ended, so that the callers that wait for it do
		 * not have to wait for the next attempt.
		 */
		private Fetch takeOver() {
			Fetch next = new Fetch(this.tail, 0, this.since, this.failures);
			next.handedOver = true;
			next.failures = this.failures;
			next.lastFailure = this.lastFailure;
			return next;
		}

		/**
		 * Marks an attempt as begun, and returns whether it had not begun before. So an
		 * attempt runs only once, however often it is handed over.
		 * @param attempt the number of the attempt, which is 0 for the first attempt
		 */
		private boolean begin(int attempt) {
			return this.begun.compareAndSet(attempt, attempt + 1);
		}

		@Nullable Throwable lastFailure() {
			return this.lastFailure;
		}

		/**
		 * Returns whether an attempt was refused. If so, further attempts will also fail
		 * until the data or the configuration is changed or, if the key's period has no
		 * number left, until that period has ended.
		 * @param failure the failure of the attempt, or {@code null} if it did not fail
		 */
		static boolean isRefusal(@Nullable Throwable failure) {
			return failure instanceof SegmentStoreException refused && refused.isRefusal();
		}

	}

}
