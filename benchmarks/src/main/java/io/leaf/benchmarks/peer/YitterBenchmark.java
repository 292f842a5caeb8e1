// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.DefaultIdGenerator;
import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Snowflake IDs of Yitter. The worker ID and the sequence have 10 and 12 bits, like those
 * of the other generators, instead of Yitter's defaults, 6 and 6. The timestamps run up
 * to 2,000 ms ahead of the clock; then the generator waits until the clock has caught up.
 */
@State(Scope.Benchmark)
public class YitterBenchmark {

	private final DefaultIdGenerator ids = generator();

	private static DefaultIdGenerator generator() {
		IdGeneratorOptions options = new IdGeneratorOptions((short) 1);
		options.WorkerIdBitLength = 10;
		options.SeqBitLength = 12;
		return new DefaultIdGenerator(options);
	}

	/**
	 * Marks the IDs as those of a peer.
	 * @param check the check of the IDs
	 */
	@Setup
	public void setUp(IdCheck check) {
		check.peer();
	}

	/**
	 * Draws an ID.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long snowflake(DrawnIds drawn) {
		return drawn.record(this.ids.newLong());
	}

}
