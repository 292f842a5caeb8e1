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

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.leaf.segment.SegmentEnvironment.LatchWait;
import org.jspecify.annotations.Nullable;

/**
 * The effort to get the successor of one segment, over any number of attempts. Callers
 * that find no number left wait for it to end.
 */
final class Fetch {

	private final Segment tail;

	private final long since;

	private final AtomicLong wanted;

	private final CountDownLatch end = new CountDownLatch(1);

	private final AtomicInteger begun;

	private volatile boolean handedOver;

	private int failures;

	private volatile @Nullable Throwable lastFailure;

	/**
	 * Creates a fetch.
	 * @param tail the segment whose successor is to come
	 * @param wanted how many numbers a caller waits for; 0 if nobody waits
	 * @param since when it was asked for, in nanoseconds
	 */
	Fetch(Segment tail, long wanted, long since) {
		this(tail, wanted, since, 0);
	}

	private Fetch(Segment tail, long wanted, long since, int begun) {
		this.tail = tail;
		this.since = since;
		this.wanted = new AtomicLong(wanted);
		this.begun = new AtomicInteger(begun);
	}

	/**
	 * Returns the fetch that takes over from this one, which ends because its callers
	 * need not wait for the next attempt.
	 */
	Fetch takeOver() {
		Fetch next = new Fetch(this.tail, 0, this.since, this.failures);
		next.handedOver = true;
		next.failures = this.failures;
		next.lastFailure = this.lastFailure;
		return next;
	}

	long since() {
		return this.since;
	}

	Segment tail() {
		return this.tail;
	}

	/**
	 * Tells whether a caller has handed the first attempt over to the library's threads.
	 */
	boolean isHandedOver() {
		return this.handedOver;
	}

	void handedOver() {
		this.handedOver = true;
	}

	/**
	 * Lets an attempt begin, once, however often it is called for.
	 * @param attempt its number, which is how many have failed before it
	 * @return whether to go on with it
	 */
	boolean begin(int attempt) {
		return this.begun.compareAndSet(attempt, attempt + 1);
	}

	/**
	 * Asks for at least that many numbers; without effect once the attempt is under way.
	 */
	void want(long count) {
		this.wanted.accumulateAndGet(count, Math::max);
	}

	long wanted() {
		return this.wanted.get();
	}

	/**
	 * Notes a failed attempt. Called by one attempt after the other.
	 * @return how many attempts have failed by now
	 */
	int failed(Throwable failure) {
		this.lastFailure = failure;
		return ++this.failures;
	}

	int failures() {
		return this.failures;
	}

	@Nullable Throwable lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Returns whether the store refused the last attempt, so that the next one will fail
	 * like it until the data or the configuration is changed.
	 */
	boolean isRefused() {
		return this.lastFailure instanceof SegmentStoreException failure && failure.isRefusal();
	}

	/**
	 * Wakes those who wait; they look for themselves what has become of it.
	 */
	void end() {
		this.end.countDown();
	}

	/**
	 * Parks the caller until the fetch ends.
	 * @param waits how it waits
	 * @param nanos how long at most
	 * @return whether it has ended
	 * @throws InterruptedException if the caller is interrupted
	 */
	boolean await(LatchWait waits, long nanos) throws InterruptedException {
		return waits.await(this.end, nanos);
	}

}
