// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * A row of the table {@code leaf_primary}: the server on which the counters of a segment
 * table are advanced.
 *
 * @param server identifies the server and, on PostgreSQL, its timeline
 * @param failovers how often the counters have been raised because the server had changed
 * @param version a random number that distinguishes this record from all others
 */
record PrimaryRecord(String server, long failovers, long version) {

	/**
	 * Returns whether this record is the one that a process saw last, or may have been
	 * written after it. If not, the server has lost the record that the process has seen,
	 * and with it the raise of the counters.
	 * @param seen the record that the process saw last, or {@code null}
	 */
	boolean isAtLeast(@Nullable PrimaryRecord seen) {
		return seen == null || this.failovers > seen.failovers || this.version == seen.version;
	}

	/**
	 * Returns the record to write when the counters are raised.
	 * @param server the server that executes the statement
	 * @param seen the record that the process saw last, or {@code null}
	 * @param version the version of the result
	 */
	PrimaryRecord next(String server, @Nullable PrimaryRecord seen, long version) {
		long last = (seen != null) ? Math.max(this.failovers, seen.failovers) : this.failovers;
		return new PrimaryRecord(server, last + 1, version);
	}

}
