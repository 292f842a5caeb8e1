/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.segment;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Looks keys up, one after the other: a flood of them must not hold the fetches of known
 * keys up, with which they share the threads.
 */
final class LookUps {

	// A caller enters its look-up under the key, where others find it who want the same,
	// adds it to the queue, and hands over a task that answers. A caller who finds a
	// look-up that has not been handed over does so too: the one whose duty it was may be
	// held up, or have ended with an Error. Answering twice does no harm.
	//
	// Of the tasks handed over one at a time is at work: it holds 'answering', answers
	// one look-up, and submits itself again, behind the fetches, while there are more.
	// The others leave theirs to it. None is forgotten: a task that finds 'answering'
	// taken has been handed over after its look-up was added, and the one at work looks
	// into the queue after it has cleared 'answering'.
	//
	// Closing raises 'closed' and then ends what has been entered; a caller enters and
	// then looks at 'closed'. So nobody waits for a generator that is closed.
	//
	// 'underWay' is a skip list since callers write to it: a ConcurrentHashMap takes
	// monitors for that.

	private final SegmentEnvironment environment;

	private final Duration patience;

	private final Function<String, @Nullable SegmentSequence> read;

	private final ConcurrentSkipListMap<String, LookUp> underWay = new ConcurrentSkipListMap<>();

	private final Queue<LookUp> queue = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean answering = new AtomicBoolean();

	private volatile boolean closed;

	private volatile @Nullable Throwable lastFailure;

	/**
	 * Creates look-ups.
	 * @param patience how long a caller waits for its look-up, at most
	 * @param read reads the row of a key; {@code null} if there is none
	 */
	LookUps(SegmentEnvironment environment, Duration patience, Function<String, @Nullable SegmentSequence> read) {
		this.environment = environment;
		this.patience = patience;
		this.read = read;
	}

	/**
	 * Returns the look-up that is under way for a key, or {@code null}.
	 */
	@Nullable LookUp underWay(String key) {
		LookUp lookUp = this.underWay.get(key);
		return (lookUp != null) ? handedOver(lookUp) : null;
	}

	/**
	 * Looks a key up, unless that is under way already.
	 */
	LookUp begin(String key) {
		LookUp lookUp = new LookUp(key, this.environment.nanoTime().getAsLong());
		LookUp other = this.underWay.putIfAbsent(key, lookUp);
		return handedOver((other != null) ? other : lookUp);
	}

	private LookUp handedOver(LookUp lookUp) {
		if (this.closed) {
			lookUp.fail(closing());
		}
		else if (!lookUp.isHandedOver()) {
			this.queue.add(lookUp);
			try {
				this.environment.handOff().execute(this::answerIfNobodyDoes);
				lookUp.handedOver();
			}
			catch (RejectedExecutionException ex) {
				lookUp.fail(ex);
			}
		}
		return lookUp;
	}

	/**
	 * Returns why the last look-up failed, or {@code null} if it did not.
	 */
	@Nullable Throwable lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Ends all look-ups, those to come included, with a
	 * {@link RejectedExecutionException}.
	 */
	void close() {
		this.closed = true;
		this.underWay.values().forEach((lookUp) -> lookUp.fail(closing()));
	}

	private static RejectedExecutionException closing() {
		return new RejectedExecutionException("closed");
	}

	private void answerIfNobodyDoes() {
		if (this.answering.compareAndSet(false, true)) {
			answerNext();
		}
	}

	private void answerNext() {
		try {
			LookUp lookUp = this.queue.poll();
			if (lookUp != null) {
				answer(lookUp);
			}
		}
		finally {
			this.answering.set(false);
			if (!this.queue.isEmpty() && this.answering.compareAndSet(false, true)) {
				goOn();
			}
		}
	}

	private void goOn() {
		try {
			this.environment.executor().execute(this::answerNext);
		}
		// closed, or out of memory: the next caller's task goes on
		catch (RejectedExecutionException | Error ex) {
			this.answering.set(false);
		}
	}

	private void answer(LookUp lookUp) {
		try {
			if (lookUp.hasEnded()) {
				return;
			}
			if (this.environment.nanoTime().getAsLong() - lookUp.since() > this.patience.toNanos()) {
				lookUp.fail(new TimeoutException("the store has not answered in time"));
				return;
			}
			SegmentSequence sequence = this.read.apply(lookUp.key());
			this.lastFailure = null;
			lookUp.answer(sequence);
		}
		// an Error, too, must not leave the callers waiting
		catch (Throwable ex) {
			this.lastFailure = ex;
			lookUp.fail(ex);
		}
		finally {
			this.underWay.remove(lookUp.key(), lookUp);
		}
	}

}
