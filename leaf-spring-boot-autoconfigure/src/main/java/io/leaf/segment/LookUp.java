// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.jspecify.annotations.Nullable;

/**
 * A caller's request to look up a key. The latch is open if the look-up has ended, or if
 * the caller has given up.
 */
final class LookUp extends Latch {

	// This is not a CompletableFuture, because a thread of a ForkJoinPool that waits for
	// a
	// CompletableFuture meanwhile runs other tasks of the pool, in the middle of the
	// caller's transaction.

	private final String key;

	private volatile @Nullable Throwable failure;

	private volatile @Nullable String equated;

	LookUp(String key) {
		this.key = key;
	}

	String key() {
		return this.key;
	}

	/**
	 * Returns why the look-up failed, or {@code null} if it has not failed or not ended.
	 */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/**
	 * Returns the key of a row that the database treats as equal to the row of this key,
	 * or {@code null} if there is no such row.
	 */
	@Nullable String equated() {
		return this.equated;
	}

	/**
	 * Ends this look-up.
	 * @param failure why the look-up failed, or {@code null} if the store has answered
	 * @param equated the key of a row that the database treats as equal, or {@code null}
	 */
	void end(@Nullable Throwable failure, @Nullable String equated) {
		this.failure = failure;
		this.equated = equated;
		countDown();
	}

}
