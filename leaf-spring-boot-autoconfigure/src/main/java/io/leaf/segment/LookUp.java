// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * A caller's request to look up a key. The latch is open if the look-up has ended, or if
 * the caller has given up.
 */
final class LookUp extends Latch {

	// This is not a CompletableFuture, because a thread of a ForkJoinPool that waits for
	// a CompletableFuture meanwhile runs other tasks of the pool, in the middle of the
	// caller's transaction. Ending a look-up creates no object, so that it is possible
	// even if memory is exhausted.

	private static final Throwable ANSWERED = new Throwable("The store has answered");

	private final String key;

	private final AtomicReference<@Nullable Throwable> outcome = new AtomicReference<>();

	private volatile @Nullable String equated;

	LookUp(String key) {
		this.key = key;
	}

	String key() {
		return this.key;
	}

	/**
	 * Returns why the look-up failed, or {@code null} if the store has answered or the
	 * look-up has not ended.
	 */
	@Nullable Throwable failure() {
		Throwable outcome = this.outcome.get();
		return (outcome != ANSWERED) ? outcome : null;
	}

	/**
	 * Returns the key of a row that the database treats as equal to this key, or
	 * {@code null} if there is no such row.
	 */
	@Nullable String equated() {
		return this.equated;
	}

	/**
	 * Ends this look-up, unless it has already ended.
	 * @param failure why the look-up failed, or {@code null} if the store has answered
	 * @param equated the key of a row that the database treats as equal, or {@code null}
	 */
	void end(@Nullable Throwable failure, @Nullable String equated) {
		if (this.outcome.compareAndSet(null, (failure != null) ? failure : ANSWERED)) {
			this.equated = equated;
			countDown();
		}
	}

}
