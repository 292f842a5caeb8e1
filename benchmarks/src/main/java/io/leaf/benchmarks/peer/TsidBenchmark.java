// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import com.github.f4b6a3.tsid.TsidFactory;
import io.hypersistence.tsid.TSID;
import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * TSIDs of 42, 10 and 12 bits, from two libraries. Their timestamps can run ahead of the
 * clock without limit.
 */
@State(Scope.Benchmark)
public class TsidBenchmark {

	private static final int NODE = 1;

	private final TsidFactory creator = TsidFactory.newInstance1024(NODE);

	private final TSID.Factory hypersistence = TSID.Factory.newInstance1024(NODE);

	/**
	 * Marks the IDs as those of a peer.
	 * @param check the check of the IDs
	 */
	@Setup
	public void setUp(IdCheck check) {
		check.peer();
	}

	/**
	 * Draws an ID from tsid-creator.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long tsidCreator(DrawnIds drawn) {
		return drawn.record(this.creator.create().toLong());
	}

	/**
	 * Draws an ID from hypersistence-tsid.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long hypersistenceTsid(DrawnIds drawn) {
		return drawn.record(this.hypersistence.generate().toLong());
	}

}
