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
	 * Returns the next ID without waiting for it, for callers that must not block, such
	 * as those on an event loop. The calling thread performs no I/O, takes no lock and
	 * never parks, not even if the key is used for the first time, numbers have to be
	 * fetched, or the limit of the clock has been reached.
	 * <p>
	 * If an ID is in memory, the stage is complete when this method returns. Otherwise,
	 * it completes as soon as an ID can be issued, or fails with the exception that
	 * {@link #nextId()} would have thrown. It does so at the latest after the configured
	 * acquire timeout, or when the generator is closed. This method itself does not throw
	 * these exceptions. IDs are issued in the same order and from the same numbers as by
	 * {@link #nextId()}; calls that wait at the same time are served in any order.
	 * <p>
	 * Functions that are attached to the stage before it is complete run on threads of
	 * the library, at most one per processor. They should not block: a function that
	 * blocks delays other stages, but not {@link #nextId()}. If the functions on all
	 * these threads wait for other stages, none of those stages completes. To run them
	 * elsewhere, use the methods whose names end in {@code Async}, with an executor.
	 * <p>
	 * {@link java.util.concurrent.CompletableFuture#cancel Cancelling} the
	 * {@linkplain CompletionStage#toCompletableFuture() future} of the stage ends the
	 * call, which then takes no ID. An ID that is issued to the call at the same moment
	 * is skipped. With {@code ordering: global}, so is an ID that is being allocated for
	 * it.
	 * @return a stage that completes with an ID, zero or greater
	 */
	CompletionStage<Long> nextIdAsync();

	/**
	 * Returns several IDs in ascending order, in one step.
	 * @param count how many, 1 to {@value IdGenerator#MAX_COUNT}
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
