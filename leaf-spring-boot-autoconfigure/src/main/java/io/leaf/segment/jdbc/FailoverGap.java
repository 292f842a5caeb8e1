// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises all counters of a table once after each failover of the database to another
 * server, before any numbers are allocated on the new server. The counters are raised
 * because the new server may lack the last allocations that the former server had
 * confirmed.
 * <p>
 * The table {@code leaf_primary} has a row for each segment table. The row contains a
 * version, and names the server on which the counters of the segment table are advanced.
 * The row is replicated together with the counters. Each statement that advances a
 * counter, gives numbers back or adds a counter has two conditions: the row must name the
 * server that executes the statement, and must contain the version that this process has
 * {@linkplain #seen seen}. On another server, the statement therefore has no effect. The
 * process then {@linkplain #follow follows} the database to that server: one statement
 * writes the name of that server and a new version to the row, and raises all counters.
 * This statement is conditional on the former version, so it succeeds for only one
 * process. The other processes then read the new version. They raise the counters again
 * only if they have seen a version that this server has lost.
 * <p>
 * Numbers can still be allocated twice in these cases:
 * <ul>
 * <li>A failover loses the statement that raised the counters or added the row to
 * {@code leaf_primary}, and numbers are allocated or a counter is added before any
 * process notices this loss. Only a process that has seen the version written by the lost
 * statement can notice the loss. This process then raises the counters again, by as much
 * as the lost statement did and by the gap.
 * <li>A server loses commits but keeps its identity. This happens if it loses power
 * before it has flushed them to disk, or if its data is restored from a copy. On MySQL
 * and MariaDB, it also happens if the database fails over from this server to another
 * server and back again, and no process has raised the counters on the other server in
 * between.
 * <li>The new server lacks more numbers of a key than the gap covers, or a row that was
 * added by hand.
 * <li>The clocks of the servers differ by more than {@code leaf.segment.max-drift}, for
 * keys with a period.
 * <li>A former primary still accepts writes. On that server, {@code leaf_primary} still
 * names that server, so numbers are still allocated there.
 * <li>A program advances counters without checking {@code leaf_primary}, such as a server
 * of Meituan's Leaf or a process whose gap is 0.
 * </ul>
 * If processes write to several servers at the same time, for example to several
 * primaries of a cluster, the server named in {@code leaf_primary} changes again and
 * again. Each change raises all counters, which skips numbers.
 * <p>
 * The row also contains by how much the counters have been raised in total, and the
 * largest gap that has been used. A process whose gap is smaller uses this gap instead,
 * so that {@link Raises#since} can assume it for each raise.
 * <p>
 * Safe for use by any number of threads.
 */
final class FailoverGap {

	private static final Logger logger = LoggerFactory.getLogger(FailoverGap.class);

	/**
	 * How many times {@link #follow} reads the row at most. It reads the row again after
	 * each attempt to add or replace the row, and if another thread has replaced the
	 * {@link #seen} record by a different one.
	 */
	private static final int ATTEMPTS = 10;

	/**
	 * How long after the row was read the statement that raises the counters may begin.
	 * Later, the database may have failed over to another server and back, and a period
	 * may have begun meanwhile, so the row is read again. A connection pool may make both
	 * statements wait for a connection. If a former raise was recorded with a later time,
	 * the statement may also begin until that time.
	 */
	private static final Duration MAX_DELAY = Duration.ofMinutes(1);

	private final long gap;

	private final LongSupplier random;

	private final AtomicReference<@Nullable PrimaryRecord> seen = new AtomicReference<>();

	/**
	 * Creates an instance.
	 * @param gap by how much to raise the counters for each failover, unless a larger gap
	 * has been used before, or 0 if they are never raised
	 * @param random the source of versions
	 */
	FailoverGap(long gap, LongSupplier random) {
		this.gap = gap;
		this.random = random;
	}

	/**
	 * Returns whether the counters are raised after failovers.
	 */
	boolean isEnabled() {
		return this.gap > 0;
	}

	/**
	 * Returns the record that the process has seen last, or {@code null} if the process
	 * has not seen any.
	 */
	@Nullable PrimaryRecord seen() {
		return this.seen.get();
	}

	/**
	 * Returns how the counters have been raised so far.
	 * @param seen the record that the process has seen last, or {@code null}
	 */
	Raises raises(@Nullable PrimaryRecord seen) {
		if (seen == null || seen.failovers() == 0) {
			return Raises.NONE;
		}
		return new Raises(seen.gap(), seen.failovers(), seen.raisedAt());
	}

	/**
	 * Returns the first number of a new counter. It includes all raises of the other
	 * counters, because a failover may have lost an earlier counter of the same key after
	 * numbers of that counter had been issued.
	 * @param from the first number if there has been no failover
	 */
	long firstNumber(long from) {
		PrimaryRecord seen = seen();
		return (seen != null) ? from + seen.raised() : from;
	}

	/**
	 * Finds out on which server the counters are advanced. Raises the counters if the row
	 * does not name the server on which it was read, or if that server has lost the
	 * record that this process has {@linkplain #seen seen}.
	 * @param primary the row of the segment table
	 * @throws SegmentStoreException if the database cannot be reached, the row keeps
	 * changing, or the counters cannot be raised in time
	 */
	void follow(Primary primary) {
		for (int i = 0; i < ATTEMPTS; i++) {
			PrimaryRecord seen = seen();
			Found found = primary.find();
			if (found == null) {
				// If this process has seen the row before, a failover has lost the row.
				// In that case, the new row names no server, so that the next attempt
				// raises the counters.
				primary.add(seen == null, version());
			}
			else if (found.isHere() && found.record().isAtLeast(seen)) {
				// the compare-and-set fails if another thread has replaced the seen
				// record in the meantime. Unless both threads have found the same record,
				// the next attempt finds out whether this server has lost the other one
				if (this.seen.compareAndSet(seen, found.record()) || found.record().equals(seen())) {
					return;
				}
			}
			else {
				raise(primary, found, seen);
			}
		}
		throw new SegmentStoreException(
				"Gave up on table leaf_primary after %d attempts to confirm the server on which the counters are advanced: each time, the row or the server had changed in the meantime, or the counters could not be raised in time. Check that all connections lead to the same primary server, and that it is not overloaded"
					.formatted(ATTEMPTS),
				null, false);
	}

	private void raise(Primary primary, Found found, @Nullable PrimaryRecord seen) {
		PrimaryRecord former = found.record();
		PrimaryRecord next = former.next(found.server(), seen, this.gap, version(), found.time().plus(MAX_DELAY));
		// includes the raises that this process has seen and that this server lacks
		long numbers = next.raised() - former.raised();
		logger.warn(
				"A failover may have lost changes of the counters: the database is on server {}, and leaf_primary names server '{}'. Raising all counters by {}, and by {} in total, unless another process raises them first",
				found.server(), former.server(), numbers, next.raised());
		primary.raise(former, next, numbers);
	}

	private long version() {
		return this.random.getAsLong() >>> 1;
	}

	/**
	 * The row of a segment table in the table {@code leaf_primary}.
	 */
	interface Primary {

		/**
		 * Returns the row, or {@code null} if there is no row.
		 */
		@Nullable Found find();

		/**
		 * Adds the row, unless another process has already added it.
		 * @param here whether the row names the server on which it is added. If not, the
		 * row names no server
		 * @param version the version of the row
		 */
		void add(boolean here, long version);

		/**
		 * Replaces the row and raises all counters in one statement. Has no effect if the
		 * row no longer has the version of {@code former}, if the statement does not run
		 * on the server that {@code next} names, or if the clock of that server has
		 * passed the latest time in {@code next} when the statement begins.
		 * @param former the row as it was read
		 * @param next the row to write
		 * @param numbers by how much to raise the counters
		 */
		void raise(PrimaryRecord former, PrimaryRecord next, long numbers);

	}

	/**
	 * The row, and the server on which it was read.
	 *
	 * @param record the row
	 * @param server the server on which the row was read
	 * @param time the time on the clock of that server
	 */
	record Found(PrimaryRecord record, String server, Instant time) {

		boolean isHere() {
			return this.record.server().equals(this.server);
		}

	}

}
