// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

import io.leaf.IdGenerator;
import io.leaf.segment.SegmentStatus.Numbers;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.support.IdArguments;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequence of a key with {@linkplain Ordering#GLOBAL global ordering}. The numbers
 * ascend across all processes: if one call returns before another call begins, in the
 * same process or in a different process, the first call gets the smaller number.
 */
final class GlobalSequence extends KeySequence {

	// No numbers are kept in memory. A call gets its number from an allocation that began
	// after the call had begun, and returns after the store has confirmed this
	// allocation. A call that begins after another call has returned gets its number from
	// a later allocation, and a later allocation has larger numbers.
	//
	// A call joins the queue, starts an attempt unless one is in flight, and waits. An
	// attempt first lists the calls in the queue that still wait, and then allocates
	// exactly as many numbers as these calls need. A call stays in the queue until it is
	// served or ends. Calls that arrive after the list was made are served by the next
	// attempt. So all calls that arrive during one round trip to the store are served by
	// the next round trip, unless together they need more numbers than one call may
	// request (IdGenerator.MAX_COUNT). An attempt never allocates more than that, because
	// by default a Leaf server refuses to hand out more numbers at once.
	//
	// There are two states: idle (inFlight is null), and one attempt in flight. The
	// caller whose compare-and-exchange on inFlight succeeds hands the attempt over to
	// the library's threads. If another caller finds that the attempt in flight has not
	// been handed over, it also hands the attempt over, because the first caller may be
	// suspended or may have ended with an Error. An attempt runs only once, however often
	// it is handed over. At its end, an attempt clears inFlight, and then checks whether
	// calls are in the queue. A call joins the queue before it reads inFlight. So no call
	// is forgotten.
	//
	// An attempt that fails may nevertheless have allocated numbers. These numbers are
	// lost. The calls of the attempt stay in the queue. The next attempt follows after a
	// delay, and allocates only if calls are still waiting then. A refusal (see
	// SegmentStoreException) ends all calls of the attempt, even if the store refused
	// only because of the call that needs the most numbers.
	//
	// If the key's period has fewer numbers left than requested, only these are
	// allocated.
	// The calls for which these numbers suffice are served. The other calls stay in the
	// queue, and the next attempt is refused unless the period has ended by then.
	//
	// The compare-and-set on a call's 'first' decides whether the call gets a number or
	// gives up. A call that has given up removes itself from the queue. If the next
	// attempt had to remove it, calls that give up at once, such as those of an
	// interrupted thread, would pile up in the queue, because an attempt may take long.

	private static final Logger logger = LoggerFactory.getLogger(GlobalSequence.class);

	private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

	private final AtomicReference<@Nullable Attempt> inFlight = new AtomicReference<>();

	// only attempts write the next three fields, and only one attempt runs at a time

	private volatile long issued;

	private volatile long lost;

	private int failuresInARow;

	private final LongAdder undelivered = new LongAdder();

	GlobalSequence(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			KeyDirectory directory) {
		super(key, store, settings, environment, directory);
	}

	@Override
	public long nextId() {
		return next(1);
	}

	@Override
	public long[] nextIds(int count) {
		IdArguments.checkCount(count);
		return ConsecutiveNumbers.of(next(count), count);
	}

	private long next(int count) {
		Waiting waiting = new Waiting();
		while (true) {
			checkState();
			Call call = new Call(count, environment().nanoTime().getAsLong());
			this.calls.add(call);
			Exception unanswered;
			try {
				begin();
				unanswered = waiting.await(call);
			}
			// the call is ended after any throwable, even a StackOverflowError.
			// Otherwise, an attempt would still allocate numbers for it
			catch (Throwable ex) {
				call.end();
				this.calls.remove(call);
				throw ex;
			}
			long first = call.end();
			if (first != NONE) {
				return first;
			}
			this.calls.remove(call);
			Throwable failure = call.failure;
			if (unanswered != null || failure != null) {
				throw waiting.unavailable(unanswered, (failure != null) ? failure : lastFailure());
			}
			// The call has neither numbers nor a failure, because the row is missing,
			// this sequence was closed, or the attempt was abandoned. If checkState()
			// then throws no exception, a new call joins the queue.
		}
	}

	@Override
	long tryNext() {
		return NONE;
	}

	@Override
	long attempt(KeyCall asynchronous, Waiting waiting) {
		Call call = asynchronous.queued();
		if (call == null) {
			requireNotClosed();
			call = new Call(1, environment().nanoTime().getAsLong());
			asynchronous.queued(this, call);
			this.calls.add(call);
			begin();
			asynchronous.await(call, waiting);
			return NONE;
		}
		long first = asynchronous.withdraw();
		if (first != NONE) {
			return first;
		}
		requireNotClosed();
		Throwable failure = call.failure;
		if (asynchronous.isOver() || failure != null) {
			throw waiting.unavailable((failure != null) ? null : asynchronous.timeout(),
					(failure != null) ? failure : lastFailure());
		}
		// KeyCall then tries again: if the row is missing, it looks the key up; if the
		// attempt was abandoned, it joins the queue again
		return NONE;
	}

	/**
	 * Ends a call, and removes it from the queue unless it has been served.
	 * @return the first number of the call, or {@link KeySequence#NONE} if the call has
	 * not been served
	 */
	long withdraw(Call call) {
		long first = call.end();
		if (first == NONE) {
			this.calls.remove(call);
		}
		return first;
	}

	@Override
	void undelivered() {
		this.undelivered.increment();
	}

	private @Nullable Throwable lastFailure() {
		Attempt attempt = this.inFlight.get();
		return (attempt != null) ? attempt.lastFailure : null;
	}

	private void begin() {
		requested();
		Attempt attempt = new Attempt(0, null);
		Attempt other = this.inFlight.compareAndExchange(null, attempt);
		if (other != null) {
			attempt = other;
		}
		// must be checked after the call has joined the queue. Because close() closes the
		// allocator before it ends the calls in the queue, either close() or this method
		// ends the call
		if (allocator().isClosed()) {
			endWaiting();
		}
		else if (!attempt.handedOver) {
			handOver(attempt);
		}
	}

	private void handOver(Attempt attempt) {
		try {
			environment().executor().execute(() -> run(attempt));
			attempt.handedOver = true;
		}
		catch (RejectedExecutionException ex) {
			// the generator is closed
			endWaiting();
		}
	}

	@Override
	void endWaiting() {
		this.calls.forEach(CountDownLatch::countDown);
	}

	private void run(Attempt attempt) {
		try {
			allocator().run(() -> runOnce(attempt));
		}
		catch (Throwable ex) {
			abandon(attempt);
			allocator().abandoned(ex);
		}
	}

	private void runOnce(Attempt attempt) {
		if (!attempt.begun.compareAndSet(false, true)) {
			return;
		}
		List<Call> taken = List.of();
		int failures = 0;
		try {
			taken = take();
			long wanted = taken.stream().mapToLong((call) -> call.count).sum();
			Allocation allocation = (wanted > 0 && !allocator().isClosed()) ? allocator().allocate(wanted) : null;
			if (allocation != null) {
				requireSize(allocation, wanted);
				serve(taken, allocation);
				failures = this.failuresInARow;
				this.failuresInARow = 0;
			}
			else if (wanted > 0) {
				rowRemoved();
				taken.forEach(CountDownLatch::countDown);
			}
		}
		// tries again after any throwable, even an Error, so that no call waits in vain
		catch (Throwable ex) {
			retry(attempt, taken, ex);
			return;
		}
		finish();
		if (failures > 0) {
			logger.info("Key '{}' has new numbers after {} failed attempts", key(), failures);
		}
	}

	/**
	 * Returns how many calls are in the queue.
	 */
	int queued() {
		return this.calls.size();
	}

	private List<Call> take() {
		List<Call> taken = new ArrayList<>();
		long wanted = 0;
		for (Iterator<Call> queue = this.calls.iterator(); queue.hasNext();) {
			Call call = queue.next();
			if (call.getCount() == 0) {
				queue.remove();
				continue;
			}
			wanted += call.count;
			if (wanted > IdGenerator.MAX_COUNT) {
				break;
			}
			taken.add(call);
		}
		return taken;
	}

	// the store must allocate exactly as many numbers as requested, or fewer if fewer are
	// left in the period of the key
	private void requireSize(Allocation allocation, long wanted) {
		long size = allocation.to() - allocation.from();
		if (size > wanted || (size < wanted && allocator().periods() == null)) {
			throw new SegmentStoreException(
					"The store allocated [%d, %d) for key '%s', although %d numbers were requested"
						.formatted(allocation.from(), allocation.to(), key(), wanted),
					null, false);
		}
	}

	private void serve(List<Call> taken, Allocation allocation) {
		long first = allocation.from();
		for (Call call : taken) {
			if (call.count > allocation.to() - first) {
				continue;
			}
			if (call.first.compareAndSet(NONE, first)) {
				this.issued += call.count;
			}
			else {
				this.lost += call.count;
			}
			first += call.count;
			call.countDown();
			this.calls.remove(call);
		}
		this.lost += allocation.to() - first;
	}

	private void finish() {
		this.inFlight.set(null);
		try {
			if (!this.calls.isEmpty()) {
				begin();
			}
		}
		// for example, memory is exhausted. The calls in the queue stop waiting, and
		// begin the next attempt themselves
		catch (Throwable ex) {
			endWaiting();
			allocator().abandoned(ex);
		}
	}

	private void retry(Attempt attempt, List<Call> taken, Throwable failure) {
		Attempt next;
		try {
			next = new Attempt(attempt.failures + 1, failure);
		}
		// for example, memory is exhausted
		catch (Throwable ex) {
			giveUp();
			allocator().abandoned(ex);
			return;
		}
		next.handedOver = true;
		try {
			String error = allocator().failed(failure);
			if (failure instanceof SegmentStoreException refused && refused.isRefusal()) {
				taken.forEach((call) -> call.fail(failure));
			}
			this.inFlight.set(next);
			environment().executor()
				.schedule(() -> run(next), environment().backoff(next.failures).toNanos(), TimeUnit.NANOSECONDS);
			if (++this.failuresInARow == 1) {
				logger.warn(
						"Cannot allocate numbers for key '{}': {}. Calls fail unless another attempt succeeds within leaf.segment.acquire-timeout",
						key(), error);
			}
			logger.debug("Attempt {} to allocate numbers for key '{}' failed", this.failuresInARow, key(), failure);
		}
		catch (Throwable ex) {
			abandon(next);
			allocator().abandoned(ex);
		}
	}

	// Called if the generator is closed or memory is exhausted. If the attempt has not
	// begun, it never will. The calls in the queue then stop waiting, and begin another
	// attempt themselves.
	private void abandon(Attempt attempt) {
		if (attempt.begun.compareAndSet(false, true)) {
			giveUp();
		}
	}

	private void giveUp() {
		this.inFlight.set(null);
		endWaiting();
	}

	@Override
	void preload() {
		// does nothing, because numbers are allocated only when a call needs them
	}

	@Override
	@Nullable Unissued fence() {
		return null;
	}

	@Override
	void givenBack(Unissued numbers) {
		throw new IllegalStateException("Key '%s' keeps no numbers that could be given back".formatted(key()));
	}

	@Override
	SegmentStatus status() {
		Attempt attempt = this.inFlight.get();
		long now = environment().nanoTime().getAsLong();
		long awaited = this.calls.stream()
			.filter((call) -> call.getCount() > 0)
			.mapToLong((call) -> now - call.since)
			.findFirst()
			.orElse(0);
		long undelivered = this.undelivered.sum();
		return allocator().status(null, null, 0, (attempt != null) ? attempt.failures : 0, waits(), waited(),
				Duration.ofNanos(awaited), new Numbers(this.issued - undelivered, 0, this.lost + undelivered));
	}

	/**
	 * An attempt to allocate numbers for the calls in the queue.
	 */
	private static final class Attempt {

		private final int failures;

		private final @Nullable Throwable lastFailure;

		private final AtomicBoolean begun = new AtomicBoolean();

		private volatile boolean handedOver;

		Attempt(int failures, @Nullable Throwable lastFailure) {
			this.failures = failures;
			this.lastFailure = lastFailure;
		}

	}

	/**
	 * A call that waits for numbers. The latch opens when the call has been served, has
	 * failed or has given up, or when the call must check the state of the key again.
	 */
	static final class Call extends Latch {

		private static final long GIVEN_UP = -2;

		private final int count;

		private final long since;

		private final AtomicLong first = new AtomicLong(NONE);

		private volatile @Nullable Throwable failure;

		Call(int count, long since) {
			this.count = count;
			this.since = since;
		}

		void fail(Throwable failure) {
			this.failure = failure;
			countDown();
		}

		/**
		 * Ends this call, unless it has been served.
		 * @return the first number of this call, or {@link KeySequence#NONE} if this call
		 * has not been served
		 */
		long end() {
			boolean ended = this.first.compareAndSet(NONE, GIVEN_UP);
			countDown();
			return ended ? NONE : this.first.get();
		}

	}

}
