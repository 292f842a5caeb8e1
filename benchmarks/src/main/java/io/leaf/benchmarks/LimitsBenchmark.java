// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The upper limits of any generator: a counter that all threads share, an array that has
 * to be filled, and the clock.
 */
@State(Scope.Benchmark)
public class LimitsBenchmark {

	private static final long[] OFFSETS = LongStream.range(0, 1000).toArray();

	private final AtomicLong counter = new AtomicLong();

	/**
	 * Connects the counter with the check.
	 * @param check the check of the IDs
	 */
	@Setup
	public void setUp(IdCheck check) {
		check.issuedBy(this.counter::get);
	}

	/**
	 * Draws an ID from a counter.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long atomicLong(DrawnIds drawn) {
		return drawn.record(this.counter.getAndIncrement());
	}

	/**
	 * Draws 1,000 IDs from a counter and writes them to an array.
	 * @param drawn the record of the IDs
	 * @return the IDs
	 */
	@Benchmark
	public long[] thousand(DrawnIds drawn) {
		long first = this.counter.getAndAdd(OFFSETS.length);
		long[] ids = new long[OFFSETS.length];
		for (int i = 0; i < ids.length; i++) {
			ids[i] = OFFSETS[i] + first;
		}
		return drawn.record(ids);
	}

	/**
	 * Reads the wall clock.
	 * @param drawn does the same work for the time as for an ID
	 * @return the time
	 */
	@Benchmark
	public long currentTimeMillis(DrawnIds drawn) {
		return drawn.recordTime(System.currentTimeMillis());
	}

}
