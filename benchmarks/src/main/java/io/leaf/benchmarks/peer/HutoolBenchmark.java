// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import cn.hutool.core.lang.Snowflake;
import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Hutool's snowflakes: 41, 10 and 12 bits.
 */
@State(Scope.Benchmark)
public class HutoolBenchmark {

	private final Snowflake ids = new Snowflake(1, 1);

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
		return drawn.note(this.ids.nextId());
	}

}
