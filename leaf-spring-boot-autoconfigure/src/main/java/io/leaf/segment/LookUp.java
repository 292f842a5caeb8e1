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

import io.leaf.segment.SegmentEnvironment.LatchWait;
import org.jspecify.annotations.Nullable;

/**
 * The search for the row of one key, and its outcome: a sequence, no row, or a failure.
 */
final class LookUp {

	// Not a CompletableFuture: a thread of a ForkJoinPool that waits for one runs other
	// tasks of its pool meanwhile, in the middle of the caller's transaction.

	private final String key;

	private final long since;

	private final CountDownLatch end = new CountDownLatch(1);

	private volatile boolean handedOver;

	private volatile @Nullable SegmentSequence sequence;

	private volatile @Nullable Throwable failure;

	/**
	 * Creates a look-up.
	 * @param key the key
	 * @param since when it was asked for, in nanoseconds
	 */
	LookUp(String key, long since) {
		this.key = key;
		this.since = since;
	}

	String key() {
		return this.key;
	}

	long since() {
		return this.since;
	}

	/**
	 * Tells whether a caller has handed it over to the library's threads.
	 */
	boolean isHandedOver() {
		return this.handedOver;
	}

	void handedOver() {
		this.handedOver = true;
	}

	/**
	 * Ends the look-up.
	 * @param sequence the sequence of the key, or {@code null} if there is no row
	 */
	void answer(@Nullable SegmentSequence sequence) {
		this.sequence = sequence;
		this.end.countDown();
	}

	/**
	 * Ends the look-up with a failure.
	 */
	void fail(Throwable failure) {
		this.failure = failure;
		this.end.countDown();
	}

	boolean hasEnded() {
		return this.end.getCount() == 0;
	}

	/**
	 * Parks the caller until the look-up ends.
	 * @param waits how it waits
	 * @param nanos how long at most
	 * @return whether it has ended
	 * @throws InterruptedException if the caller is interrupted
	 */
	boolean await(LatchWait waits, long nanos) throws InterruptedException {
		return waits.await(this.end, nanos);
	}

	/**
	 * Returns the sequence, or {@code null} if there is no row or the look-up has failed.
	 */
	@Nullable SegmentSequence sequence() {
		return this.sequence;
	}

	@Nullable Throwable failure() {
		return this.failure;
	}

}
