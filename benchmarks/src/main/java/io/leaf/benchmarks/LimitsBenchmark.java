// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What no generator can pass: a counter that all threads share, an array that has to be
 * filled, and the clock.
 */
@State(Scope.Benchmark)
public class LimitsBenchmark {

	private static final long[] OFFSETS = LongStream.range(0, 1000).toArray();

	private final AtomicLong counter = new AtomicLong();

	/**
	 * Sets the source.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		ledger.source(this.counter::get);
	}

	/**
	 * Draws from a counter.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long atomicLong(Drawn drawn) {
		return drawn.note(this.counter.getAndIncrement());
	}

	/**
	 * Draws a thousand from a counter, and writes them to an array.
	 * @param drawn where the IDs are noted
	 * @return the IDs
	 */
	@Benchmark
	public long[] thousand(Drawn drawn) {
		long first = this.counter.getAndAdd(OFFSETS.length);
		long[] ids = new long[OFFSETS.length];
		for (int i = 0; i < ids.length; i++) {
			ids[i] = OFFSETS[i] + first;
		}
		return drawn.note(ids);
	}

	/**
	 * Reads the wall clock.
	 * @param drawn what does the same work with the time as with an ID
	 * @return the time
	 */
	@Benchmark
	public long currentTimeMillis(Drawn drawn) {
		return drawn.tally(System.currentTimeMillis());
	}

}
