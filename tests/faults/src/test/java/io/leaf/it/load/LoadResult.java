// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.io.Serializable;

/**
 * The result of one part. "Later" means after the first quarter of the time, in which the
 * steps grow and the JVM compiles.
 *
 * @param kind the kind of callers
 * @param part the part
 * @param jdk the feature version of the JDK, such as 25
 * @param nanos how long the callers drew IDs in total, in nanoseconds
 * @param ids how many IDs they got
 * @param failures how many of their calls ended with an exception of the library
 * @param first the longest call of the first quarter, in nanoseconds
 * @param longest the longest call later, in nanoseconds
 * @param slow how many later calls took more than 10 milliseconds
 * @param pause the longest time that a thread took later to check a batch, in
 * nanoseconds; it usually takes about a microsecond
 * @param segments the totals of all keys, or {@code null} in snowflake mode
 * @param statements how many statements the database received in this time, from all
 * clients
 * @param heapAtQuarter how much of the heap was in use after the first quarter, in bytes
 * @param heapAtEnd the same at the end
 * @param threads how many platform threads the library had
 */
record LoadResult(CallerKind kind, LoadPart part, int jdk, long nanos, long ids, long failures, long first,
		long longest, long slow, long pause, Segments segments, long statements, long heapAtQuarter, long heapAtEnd,
		int threads) implements Serializable {

	/**
	 * The totals of all keys.
	 *
	 * @param waits how many later calls had to wait for a segment
	 * @param fetches how many segments were fetched
	 * @param failures how many attempts to fetch a segment failed
	 * @param missing how many numbers below the next number were not issued to any call
	 */
	record Segments(long waits, long fetches, long failures, long missing) implements Serializable {

	}

}
