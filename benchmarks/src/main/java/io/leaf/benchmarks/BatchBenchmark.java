// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import io.leaf.IdSequence;
import io.leaf.segment.Ordering;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Batches in segment mode.
 */
@State(Scope.Benchmark)
public class BatchBenchmark {

	// A segment of a million would last a fifth of a millisecond, which is less than it
	// takes to wake the thread that fetches the next one.
	private static final long STEP = 1_000_000_000;

	private final SegmentSource source = new SegmentSource(Ordering.STRICT, STEP);

	private final IdSequence sequence = this.source.sequence();

	/**
	 * Connects the generator with the check.
	 * @param check the check of the IDs
	 */
	@Setup
	public void setUp(IdCheck check) {
		check.issuedBy(this.source::issued);
	}

	/**
	 * Draws a batch of 1,000 IDs.
	 * @param drawn the record of the IDs
	 * @return the IDs
	 */
	@Benchmark
	public long[] thousand(DrawnIds drawn) {
		return drawn.record(this.sequence.nextIds(1000));
	}

}
