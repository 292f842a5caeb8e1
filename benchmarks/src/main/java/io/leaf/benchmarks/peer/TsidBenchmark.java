// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import com.github.f4b6a3.tsid.TsidFactory;
import io.hypersistence.tsid.TSID;
import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * TSIDs of 42, 10 and 12 bits, by two libraries. They run ahead of the clock without a
 * bound.
 */
@State(Scope.Benchmark)
public class TsidBenchmark {

	private static final int NODE = 1;

	private final TsidFactory creator = TsidFactory.newInstance1024(NODE);

	private final TSID.Factory hypersistence = TSID.Factory.newInstance1024(NODE);

	/**
	 * Tells whose IDs they are.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		ledger.peer();
	}

	/**
	 * Draws from tsid-creator.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long tsidCreator(Drawn drawn) {
		return drawn.note(this.creator.create().toLong());
	}

	/**
	 * Draws from hypersistence-tsid.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long hypersistenceTsid(Drawn drawn) {
		return drawn.note(this.hypersistence.generate().toLong());
	}

}
