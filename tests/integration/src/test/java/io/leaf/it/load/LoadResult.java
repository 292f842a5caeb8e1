// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.io.Serializable;

/**
 * What one part has come to. "Later" is all but the first quarter, in which the steps
 * grow and the JVM compiles.
 *
 * @param kind who asked
 * @param part what for
 * @param jdk which JDK it was, such as 25
 * @param nanos how long the callers drew, in all
 * @param ids how many IDs they got
 * @param failures how many of their calls ended with an exception of the library
 * @param first the longest call of the first quarter, in nanoseconds
 * @param longest the longest call later, in nanoseconds
 * @param slow how many calls took more than 10 milliseconds later
 * @param pause how long it took a thread at most, later, to check a batch, which is
 * otherwise done in about a microsecond
 * @param segments what the keys did, or {@code null} in snowflake mode
 * @param statements how many statements the database has got meanwhile, from whomever
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
	 * @param waits how many calls had to wait for a segment later
	 * @param fetches how many segments were fetched
	 * @param failures how many attempts to fetch a segment failed
	 * @param missing how many numbers below the next number were not issued to any call
	 */
	record Segments(long waits, long fetches, long failures, long missing) implements Serializable {

	}

}
