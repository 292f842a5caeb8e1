// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;

import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Numbers;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.support.FailureText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates numbers of one key, one attempt at a time, and counts the attempts.
 * <p>
 * If another transaction has locked the row of a key, an attempt keeps a thread of the
 * library waiting. To keep the threads available for other keys, an attempt usually has a
 * short timeout. After an attempt that was slow and failed, the next attempt for the same
 * key has a long timeout. Across all keys, only one attempt with the long timeout runs at
 * a time ({@link SegmentEnvironment#slowFetches()}).
 * <p>
 * Any thread may read the counts. Only attempts write them, and an attempt must not begin
 * before the previous one has ended.
 */
final class KeyAllocator {

	private static final Logger logger = LoggerFactory.getLogger(KeyAllocator.class);

	/**
	 * How long the store may take. A healthy database takes milliseconds.
	 */
	static final Duration TIMEOUT = Duration.ofSeconds(1);

	/**
	 * How long the store may take if the last attempt was slow and failed.
	 */
	static final Duration SLOW_TIMEOUT = Duration.ofSeconds(10);

	private final String key;

	private final Ordering ordering;

	private final SegmentStore store;

	private final @Nullable PeriodAllocator periods;

	private final SegmentEnvironment environment;

	// There may be ten thousand allocators. To save memory, the counts of attempts are
	// volatile fields rather than AtomicLong objects. This is safe, because only one
	// thread at a time writes them.
	private volatile long allocations;

	private volatile long failures;

	private volatile boolean closed;

	private volatile long rowStep;

	private volatile @Nullable Instant lastAllocation;

	private volatile @Nullable String lastError;

	private volatile boolean slow;

	private long highestEnd;

	KeyAllocator(String key, SegmentSettings settings, SegmentStore store, SegmentEnvironment environment) {
		KeyPeriod period = settings.key(key).period();
		this.key = key;
		this.ordering = settings.ordering(key);
		this.store = store;
		this.periods = (period != null) ? new PeriodAllocator(key, period, store, environment) : null;
		this.environment = environment;
	}

	String key() {
		return this.key;
	}

	/**
	 * Returns the object that allocates numbers within the periods of this key, or {@code
	 * null} if the key has no periods.
	 */
	@Nullable PeriodAllocator periods() {
		return this.periods;
	}

	/**
	 * Records the step that was read from the row of the key.
	 */
	void rowStepSeen(long rowStep) {
		this.rowStep = rowStep;
	}

	long rowStep() {
		return this.rowStep;
	}

	long allocations() {
		return this.allocations;
	}

	/**
	 * Records that no further attempt may access the store.
	 */
	void close() {
		this.closed = true;
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Runs an attempt on the calling thread. If the last attempt for this key was slow
	 * and failed, and an attempt with the long timeout is running for another key, this
	 * attempt runs later instead, on one of the library's threads, and occupies no thread
	 * until then.
	 */
	void run(Runnable attempt) {
		if (this.slow) {
			this.environment.slowFetches().run(attempt);
		}
		else {
			attempt.run();
		}
	}

	/**
	 * Allocates numbers.
	 * @param size how many numbers; fewer are allocated if fewer are left in the key's
	 * period
	 * @return the numbers, or {@code null} if there is no row for the key
	 */
	@Nullable Allocation allocate(long size) {
		long start = this.environment.nanoTime().getAsLong();
		Allocation allocation;
		try {
			allocation = allocateAscending(size, this.slow ? SLOW_TIMEOUT : TIMEOUT);
		}
		catch (Throwable ex) {
			this.slow = this.environment.nanoTime().getAsLong() - start >= TIMEOUT.toNanos();
			throw ex;
		}
		this.slow = false;
		if (allocation != null) {
			this.highestEnd = allocation.to();
			if (allocation.rowStep() > 0) {
				this.rowStep = allocation.rowStep();
			}
			this.lastAllocation = this.environment.clock().instant();
			this.allocations++;
		}
		return allocation;
	}

	/**
	 * Allocates numbers above all numbers that were allocated to this process before. A
	 * database that has lost writes in a failover or a restore would allocate these
	 * earlier numbers again. So if the store returns numbers below the end of the earlier
	 * ones, they are rejected, and the store is asked again, with that end as the floor.
	 */
	private @Nullable Allocation allocateAscending(long size, Duration timeout) {
		Allocation allocation = allocate(size, 0, timeout);
		if (allocation == null || allocation.from() >= this.highestEnd) {
			return allocation;
		}
		String error = "max_id of key '%s' moved backwards: the row returned [%d, %d), but this process has been allocated numbers up to %d (exclusive). The segment is rejected, and the next one is allocated from %d on. Check whether the database was restored from a backup or failed over to a lagging replica. If so, other processes may issue duplicate IDs: stop them, and raise max_id of all keys above the numbers that have been issued"
			.formatted(this.key, allocation.from(), allocation.to(), this.highestEnd, this.highestEnd);
		this.failures++;
		this.lastError = error;
		logger.error(error);
		allocation = allocate(size, this.highestEnd, timeout);
		if (allocation != null && allocation.from() < this.highestEnd) {
			throw new SegmentStoreException(error + ". The store did not raise max_id", null, false);
		}
		return allocation;
	}

	private @Nullable Allocation allocate(long size, long floor, Duration timeout) {
		return (this.periods != null) ? this.periods.allocate(size, floor, timeout)
				: this.store.allocate(this.key, size, floor, timeout);
	}

	/**
	 * Returns whether attempts were refused because a period had no numbers left, and
	 * that period has ended since then.
	 */
	boolean isRefusalOver() {
		return this.periods != null && this.periods.isRefusalOver();
	}

	/**
	 * Logs why an attempt was not made, or not repeated. Does not fail even if memory is
	 * exhausted.
	 */
	void abandoned(Throwable reason) {
		try {
			logger.debug("An attempt to allocate numbers for key '{}' was abandoned", this.key, reason);
		}
		catch (Throwable unlogged) {
			// if memory is exhausted, logging may fail as well
		}
	}

	/**
	 * Counts a failed attempt.
	 * @return the message of the failure
	 */
	String failed(Throwable failure) {
		this.failures++;
		String error = FailureText.of(failure);
		this.lastError = error;
		return error;
	}

	/**
	 * Returns the status of the key.
	 * @param current the segment that numbers are issued from, or {@code null}
	 * @param next the segment after that one, or {@code null}
	 * @param step the current step, or 0 for the row's step
	 * @param failedAttempts how many attempts have failed since the last success
	 * @param waits how many calls had to wait
	 * @param waited how long these calls have waited in total
	 * @param awaited the value of {@link SegmentStatus#awaited()}
	 * @param numbers how many of the allocated numbers were issued, given back and lost
	 */
	SegmentStatus status(@Nullable Current current, @Nullable Range next, long step, int failedAttempts, long waits,
			Duration waited, Duration awaited, Numbers numbers) {
		return new SegmentStatus(this.ordering, current, next, (step != 0) ? step : this.rowStep, this.rowStep,
				this.allocations, this.failures, failedAttempts, waits, waited, awaited, numbers, this.lastAllocation,
				this.lastError, (this.periods != null) ? this.periods.status() : null);
	}

}
