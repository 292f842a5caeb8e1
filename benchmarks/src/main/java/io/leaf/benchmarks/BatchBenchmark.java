// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import io.leaf.IdSequence;
import io.leaf.segment.Ordering;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Segment mode, many IDs at a time.
 */
@State(Scope.Benchmark)
public class BatchBenchmark {

	// one of a million would last a fifth of a millisecond: shorter than it takes to wake
	// the thread that fetches the next
	private static final long STEP = 1_000_000_000;

	private final SegmentSource source = new SegmentSource(Ordering.STRICT, STEP);

	private final IdSequence sequence = this.source.sequence();

	/**
	 * Sets the source.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		ledger.source(this.source::issued);
	}

	/**
	 * Draws a thousand.
	 * @param drawn where the IDs are noted
	 * @return the IDs
	 */
	@Benchmark
	public long[] thousand(Drawn drawn) {
		return drawn.note(this.sequence.nextIds(1000));
	}

}
