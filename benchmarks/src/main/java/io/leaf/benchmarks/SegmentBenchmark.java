// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import io.leaf.IdSequence;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Segment mode in strict order.
 */
@State(Scope.Benchmark)
public class SegmentBenchmark {

	private final SegmentSource source = new SegmentSource(Ordering.STRICT, SegmentSource.LARGEST_STEP);

	private final SegmentIdGenerator generator = this.source.generator();

	private final String key = this.source.key();

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
	public long strict(Drawn drawn) {
		return drawn.note(this.sequence.nextId());
	}

	/**
	 * Draws by key.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long strictByKey(Drawn drawn) {
		return drawn.note(this.generator.nextId(this.key));
	}

}
