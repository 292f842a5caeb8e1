// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import cn.hutool.core.lang.Snowflake;
import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Snowflake IDs of Hutool, with 41, 10 and 12 bits.
 */
@State(Scope.Benchmark)
public class HutoolBenchmark {

	private final Snowflake ids = new Snowflake(1, 1);

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
		return drawn.record(this.ids.nextId());
	}

}
