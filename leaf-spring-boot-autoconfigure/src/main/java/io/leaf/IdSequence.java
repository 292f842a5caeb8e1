// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * An {@link IdGenerator} bound to one key. Safe for use by any number of threads.
 *
 * @see IdGenerator#sequence(String)
 */
public interface IdSequence extends LongSupplier {

	/**
	 * Returns the key whose IDs this sequence issues.
	 * @return the key
	 */
	String key();

	/**
	 * Returns the next ID.
	 * @return an ID, zero or greater
	 * @throws UnknownKeyException if the key does not exist, or no longer exists
	 * @throws IdGenerationException if no ID can be issued at the moment
	 * @see IdGenerator#nextId(String)
	 */
	long nextId();

	/**
	 * Requests the next ID without waiting for it. This method is for callers that must
	 * not block, such as those on an event loop. The calling thread performs no I/O,
	 * takes no lock and never parks, even if the key is used for the first time, numbers
	 * have to be fetched, or the timestamps of IDs are as far ahead of the clock as
	 * {@code leaf.snowflake.max-lead} allows.
	 * <p>
	 * If an ID can be issued at once, the stage is complete when this method returns.
	 * Otherwise, the stage completes as soon as an ID can be issued, or fails with the
	 * exception that {@link #nextId()} would have thrown. This method itself does not
	 * throw that exception. The stage completes or fails at the latest after the
	 * configured acquire timeout, or when the generator is closed. The IDs of this method
	 * and of {@link #nextId()} come from the same sequence, and are ordered as if only
	 * {@link #nextId()} had been called. Calls of either method that wait at the same
	 * time are served in any order.
	 * <p>
	 * Functions that are attached to the stage before it is complete run on threads of
	 * the library. There is at most one such thread per processor. The functions should
	 * not block, because a function that blocks delays other stages (but not
	 * {@link #nextId()}). If the functions on all these threads wait for other stages,
	 * none of those stages completes. To run functions on other threads, use the methods
	 * of the stage whose names end in {@code Async}, with an executor.
	 * <p>
	 * {@link java.util.concurrent.CompletableFuture#cancel Cancelling} the
	 * {@linkplain CompletionStage#toCompletableFuture() future} of the stage ends the
	 * request, which then takes no ID. Functions that are attached to the stage then run
	 * on the cancelling thread. If an ID is issued to the request at the moment of the
	 * cancellation, the ID is skipped. If the ordering of the key is {@code global}, an
	 * ID that is being allocated for the request is skipped as well.
	 * @return a stage that completes with an ID, zero or greater
	 */
	CompletionStage<Long> nextIdAsync();

	/**
	 * Returns several IDs at once, in ascending order.
	 * @param count how many IDs, from 1 to {@value IdGenerator#MAX_COUNT}. In snowflake
	 * mode, the maximum is lower if one worker ID cannot issue that many IDs within the
	 * acquire timeout
	 * @return an array of {@code count} IDs
	 * @throws UnknownKeyException if the key does not exist, or no longer exists
	 * @throws InvalidRequestException if the count is out of range
	 * @throws IdGenerationException if that many IDs cannot be issued at the moment
	 * @see IdGenerator#nextIds(String, int)
	 */
	long[] nextIds(int count);

	@Override
	default long getAsLong() {
		return nextId();
	}

}
