/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
