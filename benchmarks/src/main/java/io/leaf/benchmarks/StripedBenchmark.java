// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import io.leaf.IdSequence;
import io.leaf.segment.Ordering;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Segment mode in striped order.
 */
@State(Scope.Benchmark)
public class StripedBenchmark {

	private final SegmentSource source = new SegmentSource(Ordering.STRIPED, SegmentSource.LARGEST_STEP);

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
	 * Draws from a sequence.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long striped(Drawn drawn) {
		return drawn.note(this.sequence.nextId());
	}

}
