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
 * ascend across all processes: if a call returns before another one begins, in the same
 * process or in a different one, the first call gets the smaller number.
 */
final class GlobalSequence extends KeySequence {

	// Nothing is kept in memory: each number comes from an allocation that began after
	// the call had arrived. When a call returns, the store has confirmed the allocation
	// that its number comes from. A call that begins after that gets its number from a
	// later allocation, whose numbers are larger.
	//
	// A call joins the queue, starts an attempt unless one is in flight, and waits. An
	// attempt first takes the calls in the queue that still wait, and then allocates
	// exactly the numbers that these calls need. Calls that arrive meanwhile stay in the
	// queue for the next attempt. So all callers that arrive during one round trip to the
	// store are served by the next one. An attempt takes several calls only if they need
	// no more numbers together than one call may request (IdGenerator.MAX_COUNT): by
	// default, a Leaf server refuses to hand out more at once.
	//
	// States: idle (inFlight is null), or one attempt in flight. The compare-and-exchange
	// on inFlight succeeds for one caller, and this caller hands the attempt over to the
	// library's threads. A caller that finds an attempt in flight that has not been
	// handed over hands it over as well: the caller that should have done so may be
	// suspended, or may have ended with an Error. An attempt runs once, however often it
	// was handed over. At its end, it clears inFlight, and then checks whether a call is
	// in the queue. A call joins the queue before it looks at inFlight. So no call is
	// forgotten.
	//
	// If an attempt fails, its outcome is unknown, and the numbers that it may have
	// allocated are lost. Its calls stay in the queue. The next attempt follows after a
	// delay, and allocates only if calls are still waiting then. A refusal (see
	// SegmentStoreException) ends all calls of the attempt, even if the store refused
	// only because of the largest one.
	//
	// At the end of a period, fewer numbers than requested may be allocated. The calls
	// for which they suffice are served. The others stay in the queue, and the next
	// attempt is refused unless the period has ended by then.
	//
	// The compare-and-set on a call's 'first' decides whether the call gets a number or
	// gives up. A call that has given up leaves the queue itself. If it waited for an
	// attempt to remove it, calls that give up at once, such as those of an interrupted
	// thread, would pile up, because an attempt may take long.

	private static final Logger logger = LoggerFactory.getLogger(GlobalSequence.class);

	private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

	private final AtomicReference<@Nullable Attempt> inFlight = new AtomicReference<>();

	// only attempts write the next three fields, and the attempts follow one another

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
			// such as a StackOverflowError: no numbers may be allocated for this call any
			// more
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
			// the row is missing, or this sequence was closed: checkState() finds out
			// which
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
		// the row is missing: the caller looks the key up again
		return NONE;
	}

	/**
	 * Ends a call.
	 * @return its first number, or {@link KeySequence#NONE} if the call has not been
	 * served
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
		// checked after the call has joined the queue: close() closes the allocator
		// before it ends the calls in the queue
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
		// not even an Error may leave the calls waiting
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

	// the store must allocate exactly the numbers requested; fewer only at the end of a
	// period
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
		// for example, out of memory: the calls in the queue continue, and begin the next
		// attempt themselves
		catch (Throwable ex) {
			endWaiting();
		}
	}

	private void retry(Attempt attempt, List<Call> taken, Throwable failure) {
		Attempt next;
		try {
			next = new Attempt(attempt.failures + 1, failure);
		}
		// for example, out of memory
		catch (Throwable ex) {
			giveUp();
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
		}
	}

	// the generator is closed, or out of memory: the calls in the queue continue, and
	// begin again
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
		// numbers are not allocated before they are needed
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
	 * A call that waits for numbers. Its latch opens when the call has been served, has
	 * failed or has given up, or if the call must check the state of the key again.
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
		 * @return its first number, or {@link KeySequence#NONE} if it was not served
		 */
		long end() {
			boolean ended = this.first.compareAndSet(NONE, GIVEN_UP);
			countDown();
			return ended ? NONE : this.first.get();
		}

	}

}
