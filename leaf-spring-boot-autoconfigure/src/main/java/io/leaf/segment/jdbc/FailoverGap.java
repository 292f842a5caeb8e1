// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

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
 * server, before anything is allocated there: the new server may lack the last
 * allocations that the former one has confirmed.
 * <p>
 * The table {@code leaf_primary} has a row for each segment table, with the server on
 * which its counters are advanced, and a version. It is replicated with the counters.
 * Each statement that advances a counter, gives numbers back or adds a row has the
 * condition that the server which executes it is the one in the row, and that the version
 * is the one that this process has {@linkplain #seen seen}. On another server it matches
 * no counter. The process then {@linkplain #follow follows}: one statement writes the
 * present server and a new version, and raises all counters. It is conditional on the
 * former version, so of all processes one succeeds; the others find the new version.
 * <p>
 * Numbers can still be allocated twice in these cases:
 * <ul>
 * <li>A failover loses the statement that raised the counters, or the one that added the
 * row. A process that has seen its version notices this and raises the counters again, by
 * the gap for each failover that the server does not know of. But there may be no such
 * process, or another one may allocate or add a counter first.
 * <li>A server loses commits and keeps its identity: its data is restored from a copy,
 * or, on MySQL and MariaDB, it becomes a replica of its successor and then the primary
 * again before any process has raised the counters on the successor.
 * <li>More numbers of a key are lost than the gap covers.
 * <li>A former primary still takes writes: its row names itself.
 * <li>A program advances counters without the condition, such as the deployed Leaf or a
 * process without a gap.
 * </ul>
 * If several servers are written to at the same time, each change from one to another
 * raises the counters.
 * <p>
 * Safe for use by any number of threads.
 */
final class FailoverGap {

	private static final Logger logger = LoggerFactory.getLogger(FailoverGap.class);

	/**
	 * How often the row is read at most. It is read again after this process or another
	 * one has changed it, or another thread has replaced the record seen.
	 */
	private static final int ATTEMPTS = 10;

	private final long gap;

	private final LongSupplier random;

	private final AtomicReference<@Nullable PrimaryRecord> seen = new AtomicReference<>();

	/**
	 * Creates an instance.
	 * @param gap by how much to raise the counters, or 0 to do nothing
	 * @param random the source of versions
	 */
	FailoverGap(long gap, LongSupplier random) {
		this.gap = gap;
		this.random = random;
	}

	/**
	 * Returns whether counters are to be raised at all.
	 */
	boolean isEnabled() {
		return this.gap > 0;
	}

	/**
	 * Returns the record that the process has seen last, or {@code null}.
	 */
	@Nullable PrimaryRecord seen() {
		return this.seen.get();
	}

	/**
	 * Returns how counters have been raised.
	 * @param seen the record that the process has seen last, or {@code null}
	 */
	Raises raises(@Nullable PrimaryRecord seen) {
		return (seen != null && seen.failovers() > 0) ? new Raises(this.gap, seen.failovers(), seen.raisedAt())
				: Raises.NONE;
	}

	/**
	 * Returns the first number of a row that is added. A failover may have lost a row of
	 * the same key, whose numbers have been issued.
	 * @param from the first number if there had been no failover
	 */
	long firstNumber(long from) {
		PrimaryRecord seen = seen();
		return (seen != null) ? from + this.gap * seen.failovers() : from;
	}

	/**
	 * Finds out on which server the counters are advanced. If it is not the same as
	 * before, raises the counters.
	 * @param primary the row of the segment table
	 */
	void follow(Primary primary) {
		for (int i = 0; i < ATTEMPTS; i++) {
			PrimaryRecord seen = seen();
			Found found = primary.find();
			if (found == null) {
				// if a failover has lost the row, the server is not the former one
				primary.add(seen == null, version());
			}
			else if (found.isHere() && found.record().isAtLeast(seen)) {
				// fails if another thread has seen a newer record meanwhile, which may
				// be lost on this server
				if (this.seen.compareAndSet(seen, found.record())) {
					return;
				}
			}
			else {
				raise(primary, found, seen);
			}
		}
		throw new SegmentStoreException(
				"Gave up on table leaf_primary after %d attempts to confirm the server on which the counters are advanced: each time, another process or thread changed the row first. Check that all connections lead to the same primary server"
					.formatted(ATTEMPTS),
				null, false);
	}

	private void raise(Primary primary, Found found, @Nullable PrimaryRecord seen) {
		PrimaryRecord former = found.record();
		PrimaryRecord next = former.next(found.server(), seen, version(), found.time());
		long numbers = this.gap * (next.failovers() - former.failovers());
		primary.raise(former, next, numbers);
		logger.warn(
				"A failover may have lost changes of the counters: the database is on server {}, and leaf_primary named server '{}'. Unless another process has done so first, all counters have been raised by {}, which is leaf.segment.failover-gap ({}) for each failover that this server does not know of",
				found.server(), former.server(), numbers, this.gap);
	}

	private long version() {
		return this.random.getAsLong() >>> 1;
	}

	/**
	 * The row of a segment table in the table {@code leaf_primary}.
	 */
	interface Primary {

		/**
		 * Reads the row, or returns {@code null} if there is none.
		 */
		@Nullable Found find();

		/**
		 * Adds the row, unless another process has done so.
		 * @param here whether it names the present server, or none
		 * @param version the version of the row
		 */
		void add(boolean here, long version);

		/**
		 * Replaces the row and raises all counters in one statement. Has no effect if the
		 * row no longer has the version of {@code former}, or the statement does not run
		 * on the server that {@code next} names.
		 * @param former the row as it was read
		 * @param next the row to write
		 * @param numbers by how much to raise the counters
		 */
		void raise(PrimaryRecord former, PrimaryRecord next, long numbers);

	}

	/**
	 * The row, and the server that has read it.
	 *
	 * @param record the row
	 * @param server the present server
	 * @param time the time on the clock of the server
	 */
	record Found(PrimaryRecord record, String server, Instant time) {

		boolean isHere() {
			return this.record.server().equals(this.server);
		}

	}

}
