// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;

import io.leaf.segment.SegmentFetcher.Fetch;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Numbers;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.support.IdArguments;
import org.jspecify.annotations.Nullable;

/**
 * The buffer of one key: the segment that numbers are issued from, and the next segment.
 */
class SegmentSequence extends KeySequence {

	// The segments of a key form a chain, because the fetcher publishes each segment as
	// the successor of the one before it. 'current' only moves forward along that chain,
	// and only from a segment that has been used up. The numbers ascend along the chain,
	// because KeyAllocator rejects a segment that does not lie above all earlier ones. So
	// a number that is drawn after another call has returned is larger than the number
	// that the other call returned.
	//
	// nextId() draws from 'current' and is done if the number lies below the segment's
	// limit. Everything else happens beyond the limit, on the slow path: the prefetch at
	// the mark, the wait for the successor, the move to the successor, and the check of
	// the key's state. So to stop issuing numbers of the key, it is enough to fence its
	// segments (see Segment.fence()): each caller then takes the slow path, which checks
	// the key's state.

	private static final AtomicReferenceFieldUpdater<SegmentSequence, Segment> CURRENT = AtomicReferenceFieldUpdater
		.newUpdater(SegmentSequence.class, Segment.class, "current");

	private final SegmentFetcher fetcher;

	private volatile Segment current = Segment.empty();

	// how many numbers were taken out of segments by fence(), or were drawn but not
	// delivered
	private final LongAdder discarded = new LongAdder();

	private volatile long givenBack;

	SegmentSequence(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			KeyDirectory directory) {
		super(key, store, settings, environment, directory);
		this.fetcher = new SegmentFetcher(allocator(), settings, environment, this::rowRemoved);
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
	long tryNext() {
		Segment segment = this.current;
		long id = segment.draw();
		return (id < segment.limit()) ? id : tryNextBeyondLimit(segment, id);
	}

	private long tryNextBeyondLimit(Segment drawnFrom, long drawn) {
		Segment segment = drawnFrom;
		long id = drawn;
		while (id >= segment.to()) {
			Segment successor = segment.successor();
			if (successor == null || !isIssuing()) {
				return NONE;
			}
			CURRENT.compareAndSet(this, segment, successor);
			segment = this.current;
			id = segment.draw();
		}
		prefetchAtMarkAsync(segment, id, id + 1);
		return id;
	}

	// The caller of an asynchronous call must not wait for a lock, and a request for a
	// fetch takes the lock of the executor's queue. So another thread makes the request.
	final void prefetchAtMarkAsync(Segment segment, long first, long end) {
		if (segment.claimMark(first, end)) {
			environment().async().execute(() -> this.fetcher.request(segment, 0));
		}
	}

	@Override
	final long attempt(KeyCall call, Waiting waiting) {
		long id = tryNext();
		if (id == NONE) {
			requireNotClosed();
			Segment segment = this.current;
			if (segment.isUsedUp() && segment.successor() == null && !isRemoved()) {
				Fetch fetch = request(segment, 1);
				waiting.count();
				Throwable failure = fetch.lastFailure();
				boolean refused = Fetch.isRefusal(failure);
				if (refused || call.isOver()) {
					throw waiting.unavailable(refused ? null : call.timeout(), failure);
				}
				call.await(fetch, waiting);
			}
		}
		return id;
	}

	@Override
	final void undelivered() {
		this.discarded.increment();
	}

	@Override
	public long[] nextIds(int count) {
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

	// If the current segment has fewer numbers left than requested, and its successor has
	// arrived, the remaining numbers of the current segment are dropped, even if the
	// successor is too small as well. If they were kept, no range of this size could be
	// taken until other calls had used up the current segment, and the step would not
	// grow to the size of the ranges.
	@Override
	@Nullable Allocation takeRange(long size, long floor) {
		Segment segment = this.current;
		while (isIssuing()) {
			long first = segment.drawRange(size, floor);
			if (first != Segment.NONE) {
				prefetchAtMark(segment, first, first + size);
				// the step is negative if a refresh has read an invalid value. Such a
				// step is refused by the next allocation, not here
				return new Allocation(first, first + size, Math.max(0, allocator().rowStep()));
			}
			long left = segment.to() - segment.next();
			if (left >= size) {
				// the next number lies below the floor
				return null;
			}
			Segment successor = segment.successor();
			if (successor == null) {
				request(segment, 0);
				return null;
			}
			this.discarded.add(segment.to() - segment.fence());
			CURRENT.compareAndSet(this, segment, successor);
			segment = this.current;
		}
		return null;
	}

	// A caller that has drawn the number at a prefetch mark does not need this method:
	// requested() was called before the segment with the mark was fetched.
	private Fetch request(Segment tail, int wanted) {
		requested();
		return this.fetcher.request(tail, wanted);
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
	 * Moves on from a used-up segment to its successor. Waits for the successor if it has
	 * not arrived.
	 * @param wanted how many numbers the caller still needs
	 * @return the segment to draw from next
	 * @throws io.leaf.SegmentUnavailableException if the successor does not arrive in
	 * time, the store rejects the request, or this sequence is closed
	 * @throws io.leaf.UnknownKeyException if the row of the key was removed and is still
	 * missing
	 */
	private Segment advance(Segment exhausted, int wanted, Waiting waiting) {
		while (true) {
			checkState();
			Segment successor = exhausted.successor();
			if (successor != null) {
				CURRENT.compareAndSet(this, exhausted, successor);
				return this.current;
			}
			Fetch fetch = request(exhausted, wanted);
			waiting.count();
			Exception unanswered = Fetch.isRefusal(fetch.lastFailure()) ? null : waiting.await(fetch);
			// read once, because another caller may forget a refusal that is over
			Throwable failure = fetch.lastFailure();
			if (unanswered != null || Fetch.isRefusal(failure)) {
				throw waiting.unavailable(unanswered, failure);
			}
		}
	}

	@Override
	final void preload() {
		if (this.current.to() == 0) {
			request(this.current, 0);
		}
	}

	@Override
	final void endWaiting() {
		this.fetcher.endWaiting();
	}

	@Override
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
		return (from < segment.to()) ? new Unissued(key(), from, segment.to()) : null;
	}

	@Override
	final void givenBack(Unissued numbers) {
		this.givenBack = numbers.to() - numbers.from();
	}

	/**
	 * Stops issuing the numbers below a bound.
	 * @param end the bound, exclusive. It must not lie inside a segment
	 * @param drawn how many numbers below the bound the caller has drawn but will not
	 * issue
	 */
	final void discard(long end, int drawn) {
		this.discarded.add(drawn);
		for (Segment segment = this.current; segment != null && segment.to() <= end; segment = segment.successor()) {
			this.discarded.add(segment.to() - segment.fence());
		}
	}

	/**
	 * Removes the numbers that were drawn from segments but have not been issued, so that
	 * they are not issued later. Only striped ordering has such numbers.
	 * @param end the end, exclusive, of the numbers that the caller gives back
	 * @return the first of the contiguous unissued numbers that end directly before
	 * {@code end}, or {@code end} if there is no such number
	 */
	long reclaim(long end) {
		return end;
	}

	/**
	 * Returns how many numbers have been drawn from segments but have not been issued
	 * yet.
	 */
	long held() {
		return 0;
	}

	@Override
	final SegmentStatus status() {
		Segment segment = this.current;
		Segment next = segment.successor();
		if (next != null && segment.isUsedUp()) {
			// no caller has moved on to the successor yet, but the next caller will
			segment = next;
			next = segment.successor();
		}
		long issuedUpTo = segment.next();
		return this.fetcher.status(
				(segment.to() == 0) ? null
						: new Current(segment.from(), segment.to(), issuedUpTo, segment.to() - issuedUpTo + held()),
				(next == null) ? null : new Range(next.from(), next.to()), waits(), waited(), numbers(segment));
	}

	private Numbers numbers(Segment segment) {
		long drawn = segment.drawn() - held();
		long discarded = this.discarded.sum();
		long givenBack = this.givenBack;
		return new Numbers(drawn - discarded, givenBack, discarded - givenBack);
	}

}
