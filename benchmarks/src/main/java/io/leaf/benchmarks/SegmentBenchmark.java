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
 * Segment mode with {@code strict} ordering.
 */
@State(Scope.Benchmark)
public class SegmentBenchmark {

	private final SegmentSource source = new SegmentSource(Ordering.STRICT, SegmentSource.LARGEST_STEP);

	private final SegmentIdGenerator generator = this.source.generator();

	private final String key = this.source.key();

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
	 * Draws an ID from a sequence.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long strict(DrawnIds drawn) {
		return drawn.record(this.sequence.nextId());
	}

	/**
	 * Draws an ID by key.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long strictByKey(DrawnIds drawn) {
		return drawn.record(this.generator.nextId(this.key));
	}

}
