// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Allocates segments. Each key has a counter, which is the smallest number that has not
 * been allocated. All processes advance the same counter.
 * <p>
 * When a method returns, its changes are committed. They never belong to a transaction of
 * the calling thread. If a method throws an exception, its outcome is unknown, and its
 * changes may have been committed. Numbers may then be skipped, but none is issued twice,
 * because only numbers that {@code allocate} has returned are issued.
 * <p>
 * Methods block for I/O. The library calls {@link #giveBack} on the thread that closes
 * the generator, and all other methods on its own threads.
 */
public interface SegmentStore {

	/**
	 * The largest end of a segment. Stores refuse to allocate numbers beyond it. The 2^40
	 * numbers up to {@link Long#MAX_VALUE} are reserved because a caller that finds a
	 * segment used up still advances the segment's cursor (the next number to be drawn),
	 * which must not overflow.
	 */
	long MAX_END = Long.MAX_VALUE - (1L << 40);

	/**
	 * Allocates the next {@code size} numbers of a key, starting at its counter or at
	 * {@code floor}, whichever is larger. The counter is raised to the end of these
	 * numbers, so that no number below that end is allocated again.
	 * @param key the key
	 * @param size how many numbers, at least 1
	 * @param floor the smallest number that may be allocated, 0 for any
	 * @param timeout how long the answer may take. A store may round the timeout up, for
	 * example to whole seconds
	 * @return the segment, or {@code null} if there is no row for the key
	 * @throws SegmentStoreException if the store cannot be reached, does not answer in
	 * time, or rejects the request
	 */
	@Nullable Allocation allocate(String key, long size, long floor, Duration timeout);

	/**
	 * Allocates numbers of a key with periods, provided that the clock of the store shows
	 * a time in a given window. The comparison with the clock is a part of the
	 * allocation, so that no time passes between the comparison and the allocation.
	 * @param key the key
	 * @param size how many numbers, at least 1
	 * @param window the numbers that may be allocated, and when
	 * @param timeout how long the answer may take
	 * @return the numbers, beginning at the counter or at the first number of the window,
	 * whichever is larger. The result is {@code null} if nothing was allocated because
	 * there is no row for the key, too few numbers are left in the window, the time on
	 * the clock is outside the window, or the raises of the counters are not exactly
	 * those in {@link Window#raises()}
	 * @throws SegmentStoreException if the store cannot be reached, does not answer in
	 * time, or rejects the request. The default implementation always rejects the request
	 */
	default @Nullable Allocation allocate(String key, long size, Window window, Duration timeout) {
		throw withoutClock(key);
	}

	/**
	 * Reads the counter of a key together with the clock of the store. Both come from the
	 * server that allocates numbers, not from a replica.
	 * @param key the key
	 * @param timeout how long the answer may take
	 * @return the counter, or {@code null} if there is no row for the key
	 * @throws SegmentStoreException if the store cannot be reached, does not answer in
	 * time, or rejects the request. The default implementation always rejects the request
	 */
	default @Nullable Counter read(String key, Duration timeout) {
		throw withoutClock(key);
	}

	private static SegmentStoreException withoutClock(String key) {
		return new SegmentStoreException(
				"Key '%s' cannot have a period, because this store has no clock that determines the current period. Remove leaf.keys.<key>.period"
					.formatted(key),
				null, true);
	}

	/**
	 * Returns numbers to the store. The numbers of a key are returned only if the counter
	 * of the key still equals the end of these numbers. Otherwise, numbers above that end
	 * may have been allocated.
	 * <p>
	 * An implementation requests this change only once, even if the request fails. If the
	 * change were executed twice, and another process allocated the same numbers in
	 * between, the second execution would return numbers that the other process issues.
	 * @param unissued the numbers to return, with each key at most once
	 * @return the keys whose numbers were returned
	 * @throws SegmentStoreException if the store cannot be reached
	 */
	Set<String> giveBack(List<Unissued> unissued);

	/**
	 * Checks that segments can be allocated, without allocating one. A store may use this
	 * method for work that must precede the first allocation, such as raising the
	 * counters after a failover.
	 * @throws SegmentStoreException if the store cannot be reached, or only allows this
	 * process to read
	 */
	void checkWritable();

	/**
	 * Reads the rows of all keys.
	 * @return the rows, in no particular order
	 * @throws SegmentStoreException if the store cannot be reached
	 */
	List<SegmentRow> findAll();

	/**
	 * Reads the rows of some keys.
	 * @param keys the keys, without duplicates. If the store cannot hold one of the keys,
	 * that key has no row, and the rows of the other keys are still read
	 * @return the rows of these keys, in no particular order. If the store treats
	 * different keys as equal, for example keys that differ only in letter case, the
	 * result also includes the rows of keys that it treats as equal to the given keys
	 * @throws SegmentStoreException if the store cannot be reached
	 */
	List<SegmentRow> find(Collection<String> keys);

	/**
	 * Adds a row for a key. Has no effect if the key already has a row, or if the store
	 * cannot hold the key.
	 * @param key the key
	 * @param step the row's step, at least 1
	 * @param from the smallest number that may be allocated, at least 1
	 * @throws SegmentStoreException if the store cannot be reached, or rejects the
	 * request
	 */
	void create(String key, int step, long from);

	/**
	 * A segment that was allocated.
	 *
	 * @param from the first number
	 * @param to the end, exclusive
	 * @param rowStep the step of the row, or 0 if the store's answer does not include the
	 * step
	 */
	record Allocation(long from, long to, long rowStep) {

		/**
		 * Creates an allocation.
		 * @throws IllegalArgumentException if the segment is empty, begins below 0 or
		 * ends beyond {@link #MAX_END}, or the step is negative
		 */
		public Allocation {
			if (from < 0 || to <= from || to > MAX_END || rowStep < 0) {
				throw new IllegalArgumentException(
						"Not a valid segment: from=" + from + " to=" + to + " step=" + rowStep);
			}
		}

	}

	/**
	 * The numbers that may be allocated, and the time during which they may be allocated.
	 *
	 * @param from the smallest number
	 * @param to the end of the numbers, exclusive
	 * @param since the earliest time at which the numbers may be allocated
	 * @param until the time from which on the numbers may no longer be allocated
	 * @param raises how the counters had been raised when {@code from} was determined
	 */
	record Window(long from, long to, Instant since, Instant until, Raises raises) {

	}

	/**
	 * The counter of a key, and the time at which it was read.
	 *
	 * @param next the smallest number that has not been allocated
	 * @param time the time on the clock of the store
	 * @param raises how all counters have been raised after failovers
	 */
	record Counter(long next, Instant time, Raises raises) {

	}

	/**
	 * How all counters have been raised. If {@code leaf.segment.failover-gap} is set,
	 * they are raised after each failover, because the failover may have lost
	 * allocations. Raises that this process has not seen are not included.
	 *
	 * @param gap by how much the counters are raised for each failover; the largest
	 * amount so far if the amount has been changed
	 * @param total by how many gaps they have been raised at most
	 * @param latest for each of the last of these gaps, a time at or after the begin of
	 * the raise, on the clock of the server of the store that executed it; the latest
	 * time first. Earlier times may be missing
	 */
	record Raises(long gap, long total, List<Instant> latest) {

		/**
		 * The counters have never been raised.
		 */
		public static final Raises NONE = new Raises(0, 0, List.of());

		/**
		 * Returns by how much, at most, a counter that existed at a given time has been
		 * raised since then. If {@link #latest} does not reach back to that time, the
		 * result counts all raises.
		 */
		public long since(Instant time) {
			long raises = this.latest.stream().filter((raise) -> !raise.isBefore(time)).count();
			return this.gap * ((raises < this.latest.size()) ? raises : this.total);
		}

	}

	/**
	 * The contiguous unissued numbers directly below the end of a key's last segment.
	 *
	 * @param key the key
	 * @param from the first of these numbers
	 * @param to the end of the segment, exclusive
	 */
	record Unissued(String key, long from, long to) {

	}

}
