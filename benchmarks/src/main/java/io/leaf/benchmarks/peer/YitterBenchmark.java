// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.DefaultIdGenerator;
import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Yitter's snowflakes. Ours are the bits, 10 and 12 like those of the others, in place of
 * 6 and 6. It runs up to 2,000 ms ahead of the clock, then sleeps until the clock has
 * caught up.
 */
@State(Scope.Benchmark)
public class YitterBenchmark {

	private final DefaultIdGenerator ids = generator();

	/**
	 * Creates a generator with the bits of the other snowflakes.
	 * @return the generator
	 */
	public static DefaultIdGenerator generator() {
		IdGeneratorOptions options = new IdGeneratorOptions((short) 1);
		options.WorkerIdBitLength = 10;
		options.SeqBitLength = 12;
		return new DefaultIdGenerator(options);
	}

	/**
	 * Tells whose IDs they are.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		ledger.peer();
	}

	/**
	 * Draws a snowflake.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long snowflake(Drawn drawn) {
		return drawn.note(this.ids.newLong());
	}

}
