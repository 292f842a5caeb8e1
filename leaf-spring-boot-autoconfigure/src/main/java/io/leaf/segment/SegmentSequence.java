// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;

import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentFetcher.Fetch;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Numbers;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.support.IdArguments;
import org.jspecify.annotations.Nullable;

/**
 * The buffer of one key: the segment that numbers are issued from, and the one after it.
 */
class SegmentSequence implements IdSequence {

	// The segments of a key form a chain: the fetcher publishes each one as the successor
	// of the one before it. 'current' only moves forward along that chain, and only from
	// a segment that has been used up. Since the store's counter grows (the fetcher
	// refuses a segment otherwise), the numbers grow too: a number drawn after another
	// call has returned is larger than the number which that call returned.
	//
	// nextId() draws from 'current' and is done if the number lies below the segment's
	// limit. Everything else happens beyond the limit: the prefetch mark, the step to the
	// successor, waiting for it, the state of the key. So stopping a key means fencing
	// its segments: each caller then takes the slow path and finds the state there.

	private enum State {

		ISSUING, ROW_REMOVED, CLOSED

	}

	private static final AtomicReferenceFieldUpdater<SegmentSequence, Segment> CURRENT = AtomicReferenceFieldUpdater
		.newUpdater(SegmentSequence.class, Segment.class, "current");

	private final String key;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final SegmentFetcher fetcher;

	private final Runnable revival;

	private final LongAdder waits = new LongAdder();

	private final LongAdder waitedNanos = new LongAdder();

	private volatile Segment current = Segment.empty();

	private final AtomicReference<State> state = new AtomicReference<>(State.ISSUING);

	// how many numbers fences have taken out
	private final LongAdder discarded = new LongAdder();

	private volatile long givenBack;

	/**
	 * Creates a sequence that has not fetched anything yet.
	 * @param revival called when an ID is requested after the row has been removed;
	 * returns if there is a row again, throws otherwise
	 */
	SegmentSequence(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			Runnable revival) {
		this.key = key;
		this.settings = settings;
		this.environment = environment;
		this.fetcher = new SegmentFetcher(key, store, settings, environment, this::rowRemoved);
		this.revival = revival;
	}

	/**
	 * Creates a sequence with the ordering of the settings.
	 */
	static SegmentSequence create(String key, SegmentStore store, SegmentSettings settings,
			SegmentEnvironment environment, Runnable revival) {
		return switch (settings.ordering()) {
			case STRICT -> new SegmentSequence(key, store, settings, environment, revival);
			case STRIPED -> new StripedSequence(key, store, settings, environment, revival);
		};
	}

	@Override
	public final String key() {
		return this.key;
	}

	@Override
	public long nextId() {
		Segment segment = this.current;
		long id = segment.draw();
		return (id < segment.limit()) ? id : nextIdBeyondLimit(segment, id);
	}

	private long nextIdBeyondLimit(Segment segment, long id) {
		Waiting waiting = new Waiting();
		while (id >= segment.to()) {
			segment = advance(segment, 1, waiting);
			id = segment.draw();
		}
		prefetchAtMark(segment, id, id + 1);
		return id;
	}

	@Override
	public final long[] nextIds(int count) {
		IdArguments.checkCount(count);
		Segment segment = this.current;
		long first = segment.draw(count);
		long end = first + count;
		if (end > segment.to()) {
			return nextIdsOfSeveral(segment, first, count);
		}
		prefetchAtMark(segment, first, end);
		return ConsecutiveNumbers.of(first, count);
	}

	private long[] nextIdsOfSeveral(Segment segment, long first, int count) {
		long[] ids = new long[count];
		int filled = 0;
		Waiting waiting = new Waiting();
		while (true) {
			long end = Math.min(first + count - filled, segment.to());
			if (first < end) {
				prefetchAtMark(segment, first, end);
				ConsecutiveNumbers.put(ids, filled, (int) (end - first), first);
				filled += (int) (end - first);
			}
			if (filled == count) {
				return ids;
			}
			segment = advance(segment, count - filled, waiting);
			first = segment.draw(count - filled);
		}
	}

	final Segment current() {
		return this.current;
	}

	final void prefetchAtMark(Segment segment, long first, long end) {
		if (segment.claimMark(first, end)) {
			this.fetcher.request(segment, 0);
		}
	}

	/**
	 * Moves on from a segment that has been used up.
	 * @param wanted how many numbers the caller still needs
	 * @return the segment to draw from next
	 */
	private Segment advance(Segment exhausted, int wanted, Waiting waiting) {
		while (true) {
			checkState();
			Segment successor = exhausted.successor();
			if (successor != null) {
				CURRENT.compareAndSet(this, exhausted, successor);
				return this.current;
			}
			waiting.await(this.fetcher.request(exhausted, wanted));
		}
	}

	private void checkState() {
		State state = this.state.get();
		if (state == State.CLOSED) {
			throw unavailable("the generator is closed, the application is shutting down", null);
		}
		if (state == State.ROW_REMOVED) {
			this.revival.run();
		}
	}

	private SegmentUnavailableException unavailable(@Nullable String reason, @Nullable Throwable cause) {
		return new SegmentUnavailableException(this.key, "No ID for key '%s': %s".formatted(this.key, reason), cause);
	}

	/**
	 * Fetches a first segment ahead of the first caller.
	 */
	final void preload() {
		this.fetcher.request(this.current, 0);
	}

	/**
	 * Records that there is a row for this key.
	 */
	final void rowSeen(SegmentRow row) {
		this.fetcher.rowStepSeen(row.step());
		this.state.compareAndSet(State.ROW_REMOVED, State.ISSUING);
	}

	/**
	 * Stops this sequence, because the row of its key has been removed. The sequence
	 * keeps its state, so that a row that is added again cannot bring back numbers that
	 * were issued before.
	 */
	final void rowRemoved() {
		this.state.compareAndSet(State.ISSUING, State.ROW_REMOVED);
		fence();
	}

	final boolean isRemoved() {
		return this.state.get() == State.ROW_REMOVED;
	}

	final boolean isIssuing() {
		return this.state.get() == State.ISSUING;
	}

	/**
	 * Stops this sequence permanently: from now on no fetch begins, and no caller waits.
	 * Numbers in memory are issued until {@link #fence()}.
	 */
	final void close() {
		this.state.set(State.CLOSED);
		this.fetcher.close();
	}

	/**
	 * Fences the remaining segments.
	 * @return the contiguous unissued numbers at the end of the last segment, or
	 * {@code null} if there are none
	 */
	final @Nullable Unissued fence() {
		Segment segment = this.current;
		long from = segment.fence();
		long discarded = segment.to() - from + held();
		for (Segment next = segment.successor(); next != null; next = segment.successor()) {
			long unissued = next.fence();
			discarded += next.to() - unissued;
			boolean contiguous = next.from() == segment.to() && unissued == next.from();
			from = contiguous ? from : unissued;
			segment = next;
		}
		from = reclaim(from);
		this.discarded.add(discarded);
		return (from < segment.to()) ? new Unissued(this.key, from, segment.to()) : null;
	}

	/**
	 * Records that numbers taken out by the last fence are back in the store.
	 */
	final void givenBack(Unissued numbers) {
		this.givenBack = numbers.to() - numbers.from();
	}

	/**
	 * Stops issuing numbers that were drawn from segments ahead of use.
	 * @param end the end of a range of numbers
	 * @return the start of the unissued ones of those numbers that end at {@code end};
	 * {@code end} if there are none
	 */
	long reclaim(long end) {
		return end;
	}

	/**
	 * Returns how many numbers have been drawn from segments and not issued.
	 */
	long held() {
		return 0;
	}

	final SegmentStatus status() {
		Segment segment = this.current;
		Segment next = segment.successor();
		if (next != null && segment.next() == segment.to()) {
			// no caller has moved on yet, but the next one will
			segment = next;
			next = segment.successor();
		}
		long issuedUpTo = segment.next();
		return this.fetcher.status(
				(segment.to() == 0) ? null
						: new Current(segment.from(), segment.to(), issuedUpTo, segment.to() - issuedUpTo + held()),
				(next == null) ? null : new Range(next.from(), next.to()), this.waits.sum(),
				Duration.ofNanos(this.waitedNanos.sum()), numbers(segment));
	}

	private Numbers numbers(Segment segment) {
		long drawn = segment.drawn() - held();
		long discarded = this.discarded.sum();
		long givenBack = this.givenBack;
		return new Numbers(drawn - discarded, givenBack, discarded - givenBack);
	}

	/**
	 * The waiting of one call: it is counted once, and ends altogether at the acquire
	 * timeout.
	 */
	private final class Waiting {

		private final long start = SegmentSequence.this.environment.nanoTime().getAsLong();

		private boolean counted;

		void await(Fetch fetch) {
			if (!this.counted) {
				this.counted = true;
				SegmentSequence.this.waits.increment();
			}
			long now = SegmentSequence.this.environment.nanoTime().getAsLong();
			Duration timeout = SegmentSequence.this.settings.acquireTimeout();
			Exception unanswered = fetch.isRefused() ? null
					: SegmentSequence.this.environment.await(fetch, timeout.toNanos() - (now - this.start), timeout);
			SegmentSequence.this.waitedNanos.add(SegmentSequence.this.environment.nanoTime().getAsLong() - now);
			if (unanswered != null || fetch.isRefused()) {
				Throwable cause = (unanswered instanceof InterruptedException) ? unanswered : fetch.lastFailure();
				Throwable reason = (cause != null) ? cause : unanswered;
				throw unavailable(Objects.requireNonNull(reason).getMessage(), cause);
			}
		}

	}

}
